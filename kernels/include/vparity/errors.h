// Exceptions of the library. Each message names the operation, the place and what would be right.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace vparity {

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An invalid option, shape or shard width.
class ArgumentError : public Error {
 public:
  using Error::Error;
};

/// A token id outside [0, vocab) that is not `ignore_index`. Thrown with the same content on every
/// rank of the job.
class LabelError : public Error {
 public:
  /// `global_row` counts over all data-parallel ranks in rank order.
  LabelError(std::int64_t global_row, int id_column, std::int64_t label, std::int64_t vocab);

  std::int64_t global_row;
  int id_column;
  std::int64_t label;
  std::int64_t vocab;
};

/// A collective did not complete: the transport failed, a peer is gone, or the group was aborted.
class CommunicationError : public Error {
 public:
  using Error::Error;
};

/// A device is missing, lost or out of memory, or refused an operation. Do not use its queue or its
/// memory afterwards.
class DeviceError : public Error {
 public:
  using Error::Error;
};

}  // namespace vparity

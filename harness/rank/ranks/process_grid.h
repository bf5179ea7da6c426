// The ranks of a job as a grid: tp columns, dp rows, tensor-parallel neighbours next to each other.
#pragma once

#include <memory>

#include "vparity/communicator.h"

namespace vparity::harness {

/// World rank w has TP rank w % tp and DP rank w / tp. `world` is borrowed.
class ProcessGrid {
 public:
  /// Collective over `world`, whose size is a multiple of `tp`.
  ProcessGrid(Communicator& world, int tp);

  Communicator& world() const { return world_; }
  Communicator& tp() const { return *tp_; }
  Communicator& dp() const { return *dp_; }
  ProcessGroups groups() const { return {*tp_, *dp_}; }

 private:
  Communicator& world_;
  std::unique_ptr<Communicator> tp_;
  std::unique_ptr<Communicator> dp_;
};

}  // namespace vparity::harness

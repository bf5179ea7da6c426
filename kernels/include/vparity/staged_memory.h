// Copies of host views in a device's memory, and back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <variant>

#include "vparity/device_buffer.h"
#include "vparity/placement.h"
#include "vparity/policy_statistics.h"

namespace vparity {

/// A device's copy of the memory that a view spans. It has the same distance from a 256-byte
/// boundary, so that the kernels see the alignment of the host's memory. The gaps between rows that
/// are near each other are copied too, in both directions: so a kernel that writes there is
/// noticed.
class StagedMemory {
 public:
  explicit StagedMemory(Device& device) : device_(device), buffer_(device) {}

  /// `columns` elements of each row.
  template <class Byte>
  BasicRows<Byte> copy_in(const BasicRows<Byte>& host, std::int64_t columns) {
    place(host.data, span_of(host, columns));
    for_each_piece(host, columns, [&](std::size_t offset, std::size_t bytes) {
      device_.copy_in(memory_ + offset, host.data + offset, bytes);
    });
    return {memory_, host.dtype, host.rows, host.row_stride};
  }

  void copy_out(const MutableRows& host, std::int64_t columns) {
    for_each_piece(host, columns, [&](std::size_t offset, std::size_t bytes) {
      device_.copy_out(host.data + offset, memory_ + offset, bytes);
    });
  }

  /// The view in device memory; an absent view stays absent.
  template <class T>
  Replicated<T> copy_in(const Replicated<T>& host) {
    if (!host.present()) return {};
    const auto* const from = reinterpret_cast<const std::byte*>(host.data());
    place(from, span_of(host));
    device_.copy_in(memory_, from, span_of(host));
    return {reinterpret_cast<T*>(memory_), host.rows(), host.columns(), host.row_stride(),
            host.column_stride()};
  }

  TokenIds copy_in(const TokenIds& host);

  void copy_out(const Replicated<float>& host) {
    if (!host.present()) return;
    device_.copy_out(reinterpret_cast<std::byte*>(host.data()), memory_, span_of(host));
  }

 private:
  static constexpr std::size_t alignment = 256;
  static constexpr std::int64_t near = 4096;  ///< elements

  void place(const void* host, std::size_t bytes) {
    const std::size_t misaligned = reinterpret_cast<std::uintptr_t>(host) % alignment;
    memory_ = buffer_.resize<std::byte>(misaligned + bytes) + misaligned;
  }

  template <class Byte>
  static std::size_t span_of(const BasicRows<Byte>& rows, std::int64_t columns) {
    if (rows.rows == 0) return 0;
    return static_cast<std::size_t>((rows.rows - 1) * rows.row_stride + columns) *
           size_of(rows.dtype);
  }
  template <class T>
  static std::size_t span_of(const Replicated<T>& view) {
    if (view.rows() == 0 || view.columns() == 0) return 0;
    return static_cast<std::size_t>((view.rows() - 1) * view.row_stride() +
                                    (view.columns() - 1) * view.column_stride() + 1) *
           sizeof(T);
  }

  /// copy(offset, bytes), both of bytes.
  template <class Byte, class Copy>
  static void for_each_piece(const BasicRows<Byte>& rows, std::int64_t columns, const Copy& copy) {
    if (rows.rows < 2 || rows.row_stride - columns <= near) return copy(0, span_of(rows, columns));
    const std::size_t element = size_of(rows.dtype);
    for (std::int64_t row = 0; row < rows.rows; ++row) {
      copy(static_cast<std::size_t>(row * rows.row_stride) * element,
           static_cast<std::size_t>(columns) * element);
    }
  }

  Device& device_;
  DeviceBuffer buffer_;
  std::byte* memory_ = nullptr;
};

inline TokenIds StagedMemory::copy_in(const TokenIds& host) {
  return std::visit([&](const auto& view) -> TokenIds { return copy_in(view); }, host.view());
}

/// The outputs of a forward.
class StagedStatistics {
 public:
  explicit StagedStatistics(Device& device)
      : logprob_(device), entropy_(device), lse_(device), loss_(device) {}

  StatisticsViews copy_in(const StatisticsViews& host) {
    return {logprob_.copy_in(host.logprob), entropy_.copy_in(host.entropy), lse_.copy_in(host.lse),
            loss_.copy_in(host.loss)};
  }
  void copy_out(const StatisticsViews& host) {
    logprob_.copy_out(host.logprob);
    entropy_.copy_out(host.entropy);
    lse_.copy_out(host.lse);
    loss_.copy_out(host.loss);
  }

 private:
  StagedMemory logprob_, entropy_, lse_, loss_;
};

/// The upstream gradients of a backward.
class StagedUpstream {
 public:
  explicit StagedUpstream(Device& device) : logprob_(device), entropy_(device), loss_(device) {}

  UpstreamGradients copy_in(const UpstreamGradients& host) {
    return {logprob_.copy_in(host.logprob), entropy_.copy_in(host.entropy),
            loss_.copy_in(host.loss)};
  }

 private:
  StagedMemory logprob_, entropy_, loss_;
};

}  // namespace vparity

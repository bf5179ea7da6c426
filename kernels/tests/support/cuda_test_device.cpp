#include "tests/support/test_device.h"
#include "vparity/cuda_device.h"

namespace vparity::testing {

/// All ranks share the first one.
std::unique_ptr<Device> make_test_device() { return make_cuda_device(0); }

}  // namespace vparity::testing

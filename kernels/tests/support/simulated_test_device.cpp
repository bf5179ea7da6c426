#include "device/simulated/simulated_device.h"
#include "tests/support/test_device.h"

namespace vparity::testing {

std::unique_ptr<Device> make_test_device() { return cuda::make_simulated_device(); }

}  // namespace vparity::testing

// Links, and needs no driver to say so.
#include <vparity/cuda_device.h>
#include <vparity/cuda_presence.h>

int main() {
  const vparity::DevicePresence present = vparity::cuda_device_presence();
  if (present.count == 0) return present.reason.empty() ? 1 : 0;
  return vparity::make_cuda_device(0)->stream() == nullptr ? 1 : 0;
}

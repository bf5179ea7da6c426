// Functions that run on the host and on a device.
#pragma once

#if defined(__CUDACC__)
#define VPARITY_HOST_DEVICE __host__ __device__
#else
#define VPARITY_HOST_DEVICE
#endif

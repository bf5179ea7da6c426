// Links, and needs no driver to say so.
#include <vparity/nccl_communicator.h>

int main() { return vparity::nccl_version().starts_with('2') ? 0 : 1; }

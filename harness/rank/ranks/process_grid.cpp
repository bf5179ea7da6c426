#include "harness/rank/ranks/process_grid.h"

namespace vparity::harness {

ProcessGrid::ProcessGrid(Communicator& world, int tp)
    : world_(world),
      tp_(world.split(world.rank() / tp, world.rank())),
      dp_(world.split(world.rank() % tp, world.rank())) {}

}  // namespace vparity::harness

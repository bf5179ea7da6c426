// The program `vparity-worker` with providers that crash, hang or misbehave.
#include "harness/commands/crashing_providers/crashing_provider.h"
#include "harness/rank/worker/worker_main.h"

int main(int argc, char** argv) {
  return vparity::harness::worker_main(argc, argv, vparity::harness::crashing_providers());
}

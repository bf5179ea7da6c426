// The program `vparity-worker`, with the providers that it ships.
#include "harness/rank/worker/worker_main.h"

int main(int argc, char** argv) {
  return vparity::harness::worker_main(argc, argv, vparity::harness::shipped_providers());
}

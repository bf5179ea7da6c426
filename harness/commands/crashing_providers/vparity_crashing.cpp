// The program `vparity` with providers that crash, hang or misbehave.
#include "harness/commands/command_line/program_main.h"
#include "harness/commands/crashing_providers/crashing_provider.h"

int main(int argc, char** argv) {
  return vparity::harness::program_main(argc, argv, vparity::harness::crashing_providers());
}

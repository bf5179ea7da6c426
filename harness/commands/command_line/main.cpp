// The program `vparity`, with the providers that it ships.
#include "harness/commands/command_line/program_main.h"

int main(int argc, char** argv) {
  return vparity::harness::program_main(argc, argv, vparity::harness::shipped_providers());
}

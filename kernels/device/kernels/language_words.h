// What a kernel that says every word of the language gives when the CPU runs it.
#pragma once

#include <vector>

namespace vparity::cuda {

struct WordTotals;

struct SaidWords {
  std::vector<unsigned long long> results;
  std::vector<float> powers;
};

SaidWords say_every_word_on_cpu(const std::vector<float>& x, WordTotals& totals);

}  // namespace vparity::cuda

#include "device/kernels/language_words.cuh"
#include "device/kernels/language_words.h"
#include "device/simt/launch.h"

namespace vparity::cuda {

SaidWords say_every_word_on_cpu(const std::vector<float>& x, WordTotals& totals) {
  SaidWords said;
  said.results.resize(word_threads * word_results);
  said.powers.resize(word_threads);
  simt::launch(1, word_threads,
               [&] { say_every_word(x.data(), said.results.data(), said.powers.data(), &totals); });
  return said;
}

}  // namespace vparity::cuda

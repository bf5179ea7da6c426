#include "harness/case/axes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <random>

#include "harness/io/usage_error.h"

namespace vparity::harness {
namespace {

using nlohmann::json;
using testing::HasSubstr;

CaseParameters defaults_at(std::int64_t vocab) {
  CaseParameters parameters;
  parameters.vocab = vocab;
  return parameters;
}

std::string error_of(std::string_view axis, const json& value) {
  CaseParameters parameters;
  try {
    set_axis(parameters, axis, value);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "accepted";
}

// The ids pinned here were computed from the pinned keys by coreutils' sha256sum.
TEST(CaseKey, OfTheDefaultsIsPinned) {
  const std::string key =
      ",alignment=natural,backend=cpu,batch_invariant=false,chunk=0,dp=1,dp_rows=even,dtype=fp32,"
      "grad_dtype=logits,grad_of=loss,ids=1,ignore_index=-100,in_place=false,label_smoothing=0,"
      "labels=uniform,layout=ceil,logits=normal,mask=none,mode=fast,provider=vparity,"
      "reduction=sum,row_stride=packed,softcap=null,temperature=1,tokens=64,tp=1,transport=mpi,"
      "vocab=32000,weights=ones,z_loss=0,";
  EXPECT_EQ(case_key(defaults_at(32000)), key);
  EXPECT_EQ(case_id(key), "02ea3440085a");
}

TEST(CaseKey, HoldsAnAxisThatCameLaterOnlyAwayFromItsDefault) {
  CaseParameters parameters = defaults_at(32000);
  EXPECT_FALSE(to_json(parameters).contains("op"));
  set_axis(parameters, "op", "backward");
  const std::string key =
      ",alignment=natural,backend=cpu,batch_invariant=false,chunk=0,dp=1,dp_rows=even,dtype=fp32,"
      "grad_dtype=logits,grad_of=loss,ids=1,ignore_index=-100,in_place=false,label_smoothing=0,"
      "labels=uniform,layout=ceil,logits=normal,mask=none,mode=fast,op=backward,provider=vparity,"
      "reduction=sum,row_stride=packed,softcap=null,temperature=1,tokens=64,tp=1,transport=mpi,"
      "vocab=32000,weights=ones,z_loss=0,";
  EXPECT_EQ(case_key(parameters), key);
  EXPECT_EQ(parameters_from_json(to_json(parameters)), parameters);
}

TEST(CaseKey, WithEveryAxisAwayFromItsDefaultIsPinned) {
  const json axes = {{"alignment", "odd"},
                     {"backend", "cuda-sim"},
                     {"batch_invariant", true},
                     {"chunk", 7},
                     {"dp", 2},
                     {"dp_rows", "one_empty"},
                     {"dtype", "bf16"},
                     {"grad_dtype", "fp32"},
                     {"grad_of", {"entropy", "loss", "logprob"}},
                     {"ids", 3},
                     {"ignore_index", std::numeric_limits<std::int64_t>::min()},
                     {"in_place", true},
                     {"label_smoothing", 0.1},
                     {"labels", "shard_edges"},
                     {"layout", "padded"},
                     {"logits", "lm_like"},
                     {"mask", "top_k"},
                     {"mode", "gather"},
                     {"reduction", "mean"},
                     {"row_stride", "strided"},
                     {"softcap", 30},
                     {"temperature", 0.7},
                     {"tokens", 5},
                     {"tp", 4},
                     {"transport", "threads"},
                     {"vocab", 151936},
                     {"weights", "advantages"},
                     {"z_loss", 1e-4}};
  const std::string key =
      ",alignment=odd,backend=cuda-sim,batch_invariant=true,chunk=7,dp=2,dp_rows=one_empty,"
      "dtype=bf16,grad_dtype=fp32,grad_of=loss+logprob+entropy,ids=3,"
      "ignore_index=-9223372036854775808,in_place=true,label_smoothing=0.1,labels=shard_edges,"
      "layout=padded,logits=lm_like,mask=top_k,mode=gather,provider=vparity,reduction=mean,"
      "row_stride=strided,softcap=30,temperature=0.7,tokens=5,tp=4,transport=threads,"
      "vocab=151936,weights=advantages,z_loss=0.0001,";
  EXPECT_EQ(case_key(parameters_from_json(axes)), key);
  EXPECT_EQ(case_id(key), "e74063b53fa3");
}

TEST(CaseKey, DoesNotTellZeroFromMinusZeroNorFourFromFourPointZero) {
  CaseParameters parameters = defaults_at(8);
  set_axis(parameters, "z_loss", -0.0);
  set_axis(parameters, "tokens", 64.0);
  EXPECT_EQ(case_key(parameters), case_key(defaults_at(8)));
}

TEST(BriefKey, LeavesTheDefaultsOut) {
  CaseParameters parameters = defaults_at(8);
  set_axis(parameters, "tp", 2);
  set_axis(parameters, "grad_of", {"loss", "entropy"});
  EXPECT_EQ(brief_key(parameters), "grad_of=loss+entropy tp=2 vocab=8");
}

TEST(Axes, AreSortedAndComplete) {
  const std::vector<std::string>& names = axis_names();
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  EXPECT_EQ(names.size(), 30U);  // the table of docs/matrix-file.md
}

TEST(Axes, DefaultOfAnEnumeratedAxisIsItsFirstValue) {
  const CaseParameters defaults;
  for (const std::string& axis : axis_names())
    if (!enumerated_values(axis).empty()) {
      EXPECT_EQ(axis_value(defaults, axis), enumerated_values(axis).front()) << axis;
    }
}

TEST(Axes, EveryEnumeratedValueIsReadBackAsWritten) {
  for (const std::string& axis : axis_names()) {
    for (const json& value : enumerated_values(axis)) {
      CaseParameters parameters;
      set_axis(parameters, axis, value);
      EXPECT_EQ(axis_value(parameters, axis), value) << axis;
    }
  }
}

TEST(Axes, ParametersSurviveJson) {
  CaseParameters parameters = defaults_at(50257);
  set_axis(parameters, "grad_of", {"logprob", "entropy"});
  set_axis(parameters, "softcap", 30.5);
  set_axis(parameters, "mask", "all_but_one");
  set_axis(parameters, "ignore_index", std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(parameters_from_json(json::parse(to_json(parameters).dump())), parameters);
}

TEST(Axes, FloatsAreFp32AndPrintAsTheyWereWritten) {
  CaseParameters parameters;
  set_axis(parameters, "temperature", 0.7);
  EXPECT_EQ(parameters.temperature, 0.7F);
  EXPECT_EQ(axis_value(parameters, "temperature").dump(), "0.7");
}

TEST(Axes, EveryPositiveFp32TemperatureSurvivesItsText) {
  std::mt19937 random(20260916);
  std::uniform_int_distribution<std::uint32_t> bits(1, 0x7f7fffff);  // smallest to largest finite
  for (int i = 0; i < 20000; ++i) {
    CaseParameters parameters, read;
    parameters.temperature = std::bit_cast<float>(bits(random));
    set_axis(read, "temperature", json::parse(axis_value(parameters, "temperature").dump()));
    ASSERT_EQ(read.temperature, parameters.temperature);
  }
}

TEST(Axes, ErrorsNameAxisValueAndRange) {
  EXPECT_EQ(error_of("tp", 0), "tp: 0 is not an integer from 1 to 1024");
  EXPECT_EQ(error_of("tp", "2"), "tp: \"2\" is not an integer from 1 to 1024");
  EXPECT_EQ(error_of("vocab", 4194305), "vocab: 4194305 is not an integer from 1 to 4194304");
  EXPECT_EQ(error_of("temperature", 1e-45),  // less than the least fp32 number, which prints alike
            "temperature: 1e-45 is not a number from 1.401298464324817e-45 to "
            "3.4028234663852886e+38");
  EXPECT_EQ(error_of("in_place", 1), "in_place: 1 is not true or false");
  EXPECT_EQ(error_of("mask", "topk"), "mask: \"topk\" is not a known value (did you mean top_k?)");
  EXPECT_EQ(error_of("vocabs", 3), "unknown axis \"vocabs\" (did you mean vocab?)");
}

TEST(Axes, RefuseNumbersOutsideTheirRange) {
  for (const auto& [axis, value] :
       std::vector<std::pair<std::string, json>>{{"dp", 1025},
                                                 {"tokens", -1},
                                                 {"tokens", 1.5},
                                                 {"tokens", 1e30},
                                                 {"chunk", -1},
                                                 {"ids", 0},
                                                 {"ids", 17},
                                                 {"ignore_index", std::uint64_t{1} << 63},
                                                 {"ignore_index", 1e19},
                                                 {"temperature", 0},
                                                 {"temperature", -1},
                                                 {"temperature", 1e39},
                                                 {"temperature", 1e-46},
                                                 {"temperature", "hot"},
                                                 {"temperature", nullptr},
                                                 {"softcap", 0},
                                                 {"label_smoothing", 1},
                                                 {"label_smoothing", 0.9999999999},
                                                 {"label_smoothing", -0.1},
                                                 {"z_loss", -1e-9}}) {
    EXPECT_THAT(error_of(axis, value), HasSubstr(" is not ")) << axis << " " << value;
  }
}

TEST(Axes, GradOfIsANonEmptyListWithoutRepetition) {
  EXPECT_THAT(error_of("grad_of", "loss"), HasSubstr("a list of one or more"));
  EXPECT_THAT(error_of("grad_of", json::array()), HasSubstr("a list of one or more"));
  EXPECT_THAT(error_of("grad_of", {"loss", "loss"}), HasSubstr("without repetition"));
  EXPECT_THAT(error_of("grad_of", {"losses"}), HasSubstr("did you mean loss?"));
}

TEST(Axes, ProviderNamesFitIntoAKey) {
  EXPECT_EQ(error_of("provider", "my-kernels_2.1"), "accepted");
  for (const json& bad :
       {json(""), json("a,tp=8"), json("a=b"), json(3), json(std::string(65, 'x'))})
    EXPECT_THAT(error_of("provider", bad), HasSubstr("is not a name")) << bad;
}

TEST(Axes, ErrorsStayOneShortLine) {
  const std::string error = error_of("mask", std::string(100000, 'a') + "\n");
  EXPECT_LT(error.size(), 300U);
  EXPECT_EQ(error.find('\n'), std::string::npos);
}

}  // namespace
}  // namespace vparity::harness

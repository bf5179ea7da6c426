#include "harness/case/protocol/protocol.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <limits>

#include "harness/case/axes.h"
#include "harness/io/usage_error.h"

namespace vparity::harness {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using testing::HasSubstr;

MatrixJob job_of_one_case() {
  JobCase job_case;
  job_case.parameters.tp = 2;
  job_case.parameters.vocab = 32003;
  job_case.parameters.softcap = 30.0F;
  job_case.key = case_key(job_case.parameters);
  job_case.id = case_id(job_case.key);
  return {.world = 2,
          .seed = std::numeric_limits<std::uint64_t>::max(),
          .save_failing = "operands",
          .cases = {job_case}};
}

std::string error_of(const json& job) {
  try {
    matrix_job_from_json(job);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(MatrixJob, SurvivesItsFile) {
  MatrixJob sent = job_of_one_case();
  sent.measure = reports::Measure::throughput;
  const MatrixJob received = matrix_job_from_json(json::parse(to_json(sent).dump()));
  EXPECT_EQ(received.measure, reports::Measure::throughput);
  EXPECT_EQ(received.world, 2);
  EXPECT_EQ(received.seed, sent.seed);
  EXPECT_EQ(received.save_failing, "operands");
  ASSERT_EQ(received.cases.size(), 1U);
  EXPECT_EQ(received.cases[0].id, sent.cases[0].id);
  EXPECT_EQ(received.cases[0].key, sent.cases[0].key);
  EXPECT_EQ(received.cases[0].parameters, sent.cases[0].parameters);
}

TEST(MatrixJob, NamesWhatIsMissingOrWrong) {
  json job = to_json(job_of_one_case());
  job.erase("seed");
  EXPECT_THAT(error_of(job), HasSubstr("seed"));
  job = to_json(job_of_one_case());
  job["kind"] = "eval";
  EXPECT_THAT(error_of(job), HasSubstr("kind is \"eval\""));
  job = to_json(job_of_one_case());
  job["cases"][0]["parameters"]["tp"] = 0;
  EXPECT_THAT(error_of(job), HasSubstr("tp: 0"));
  EXPECT_THAT(error_of(json(3)), HasSubstr("kind is missing"));
}

TEST(Event, IsALineWithAKind) {
  const auto event = parse_event(R"({"event":"case","id":"02ea3440085a"})");
  ASSERT_TRUE(event);
  EXPECT_EQ(event->kind, "case");
  EXPECT_EQ(event->body.at("id"), "02ea3440085a");
}

TEST(Event, IsNotWhatSomeLibraryPrints) {
  for (const char* line : {"", "Hello from MPI", "{}", "[1]", "{\"event\":3}", "{\"event\":\"ca"})
    EXPECT_FALSE(parse_event(line)) << line;
  using namespace std::string_literals;
  EXPECT_FALSE(parse_event("{\"event\":\"case\"}\0x"s));
}

class Pipe {
 public:
  Pipe() {
    if (::pipe(ends_.data()) != 0) throw std::runtime_error("no pipe");
  }
  ~Pipe() {
    ::close(ends_[0]);
    ::close(ends_[1]);
  }
  int write_end() const { return ends_[1]; }
  std::string read() const {
    std::string text(4096, '\0');
    text.resize(static_cast<std::size_t>(::read(ends_[0], text.data(), text.size())));
    return text;
  }

 private:
  std::array<int, 2> ends_{};
};

TEST(EventWriter, WritesOneLineThatIsReadBack) {
  const Pipe pipe;
  EventWriter(pipe.write_end()).write({{"event", "refused"}, {"message", "two\nlines, \xff"}});
  const std::string line = pipe.read();
  EXPECT_EQ(line.find('\n'), line.size() - 1);
  const auto event = parse_event(line);
  ASSERT_TRUE(event);
  EXPECT_THAT(event->body.at("message").get<std::string>(), HasSubstr("two\nlines"));
}

TEST(EventWriter, OfAnotherRankWritesNowhere) { EventWriter().write({{"event", "done"}}); }

TEST(EventWriter, SaysWhenTheParentCannotBeReached) {
  const int read_only = ::open("/dev/null", O_RDONLY);
  EXPECT_THROW(EventWriter(read_only).write({{"event", "done"}}), std::system_error);
  ::close(read_only);
}

}  // namespace
}  // namespace vparity::harness

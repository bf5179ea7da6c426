#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "harness/io/atomic_file.h"
#include "harness/io/safetensors/safetensors_file.h"
#include "harness/io/safetensors/safetensors_header.h"
#include "harness/io/safetensors/safetensors_writer.h"
#include "harness/io/usage_error.h"

namespace vparity::harness {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

/// A fresh folder for each test.
class SafetensorsTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) /
              testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  std::string file_with(const std::string& bytes) const {
    std::ofstream(path("broken"), std::ios::binary) << bytes;
    return path("broken");
  }

  /// The message with which a file of these bytes is refused.
  std::string refusal(const std::string& bytes) const {
    try {
      SafetensorsFile file(file_with(bytes));
    } catch (const UsageError& error) {
      return error.what();
    }
    return "accepted";
  }

  std::filesystem::path folder_;
};

std::string little_endian(std::uint64_t value) {
  std::string bytes(8, '\0');
  for (char& byte : bytes) {
    byte = static_cast<char>(value & 0xFF);
    value >>= 8;
  }
  return bytes;
}

std::string with_header(const std::string& header, std::size_t data_bytes) {
  return little_endian(header.size()) + header + std::string(data_bytes, 'x');
}

template <class T, std::size_t N>
std::span<const std::byte> bytes_of(const std::array<T, N>& values) {
  return std::as_bytes(std::span(values));
}

TEST_F(SafetensorsTest, WhatSeveralWritersWroteIsReadBack) {
  const std::vector<TensorInfo> tensors{{"logits", TensorType::bf16, {2, 3}},
                                        {"empty", TensorType::f32, {0, 7}},
                                        {"labels", TensorType::i64, {2}}};
  {
    reports::TemporaryFile file(path("out.safetensors"));
    SafetensorsWriter first(file.path(), tensors);
    SafetensorsWriter second(file.path(), tensors);
    first.write_header();
    first.write("logits", 0, bytes_of(std::array<std::uint16_t, 4>{1, 2, 3, 4}));
    second.write("labels", 0, bytes_of(std::array<std::int64_t, 2>{-100, std::int64_t{1} << 40}));
    second.write("logits", 4, bytes_of(std::array<std::uint16_t, 2>{5, 0xFFFF}));
    first.sync();
    second.sync();
    file.commit();
  }
  const SafetensorsFile read(path("out.safetensors"));
  ASSERT_EQ(read.tensors().size(), 3U);
  EXPECT_EQ(describe(read.tensors()[0].info), "BF16 [2, 3]");
  EXPECT_THAT(read.find("empty")->info.shape, ElementsAre(0, 7));
  EXPECT_EQ(read.find("logits")->at<std::uint16_t>(3), 4);
  EXPECT_EQ(read.find("logits")->at<std::uint16_t>(5), 0xFFFF);
  EXPECT_EQ(read.find("labels")->at<std::int64_t>(0), -100);
  EXPECT_EQ(read.find("labels")->at<std::int64_t>(1), std::int64_t{1} << 40);
  EXPECT_EQ(read.find("weights"), nullptr);
}

TEST_F(SafetensorsTest, HeaderIsPaddedSoThatDataStartsAtAMultipleOfEight) {
  EXPECT_EQ(format_safetensors_header(place_tensors({{"a", TensorType::u8, {3}}})).size() % 8, 0U);
}

TEST_F(SafetensorsTest, UnalignedDataMetadataAndAnyOrderOfKeysAreRead) {
  const std::string header =
      R"({"b":{"dtype":"I64","shape":[],"data_offsets":[1,9]},"__metadata__":{"made":"by hand"},)"
      R"("a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})";
  const SafetensorsFile file(
      file_with(little_endian(header.size()) + header + "!" + little_endian(77)));
  EXPECT_EQ(file.find("b")->at<std::int64_t>(0), 77);
  EXPECT_EQ(file.tensors().front().info.name, "a");
}

TEST_F(SafetensorsTest, FileThatIsMissingOrNoFileIsRefused) {
  EXPECT_THAT(
      [&] { SafetensorsFile file(path("absent")); },
      testing::ThrowsMessage<UsageError>(AllOf(HasSubstr("absent"), HasSubstr("No such file"))));
  EXPECT_THAT([&] { SafetensorsFile file(folder_.string()); },
              testing::ThrowsMessage<UsageError>(HasSubstr("not a regular file")));
}

TEST_F(SafetensorsTest, TruncationIsNamedWhereverItFalls) {
  EXPECT_THAT(refusal(""), HasSubstr("truncated: 0 bytes"));
  EXPECT_THAT(refusal("1234567"), HasSubstr("truncated: 7 bytes"));
  EXPECT_THAT(refusal(little_endian(20) + "{}"),
              HasSubstr("header length 20, but only 2 bytes follow"));
  EXPECT_THAT(refusal(little_endian(100'000'001) + "{}"),
              HasSubstr("above the format's limit of 100000000"));
  EXPECT_THAT(refusal(little_endian(~std::uint64_t{0}) + "{}"),
              HasSubstr("above the format's limit"));
}

struct BrokenHeader {
  const char* name;
  std::string header;
  std::size_t data_bytes;
  std::vector<std::string> says;
};
void PrintTo(const BrokenHeader& broken, std::ostream* out) { *out << broken.name; }

class BrokenHeaderTest : public SafetensorsTest,
                         public testing::WithParamInterface<BrokenHeader> {};

TEST_P(BrokenHeaderTest, IsRefusedWithThePlaceAndWhatWouldBeRight) {
  const BrokenHeader& broken = GetParam();
  const std::string message = refusal(with_header(broken.header, broken.data_bytes));
  for (const std::string& part : broken.says) EXPECT_THAT(message, HasSubstr(part));
  EXPECT_THAT(message, AllOf(HasSubstr("broken: "), testing::Not(HasSubstr("\n"))));
}

std::string tensor(std::string_view name, std::string_view type, std::string_view shape,
                   std::string_view offsets) {
  return fmt::format(R"("{}":{{"dtype":"{}","shape":{},"data_offsets":{}}})", name, type, shape,
                     offsets);
}

std::string header_of(std::initializer_list<std::string> tensors) {
  return fmt::format("{{{}}}", fmt::join(tensors, ","));
}

INSTANTIATE_TEST_SUITE_P(
    Files, BrokenHeaderTest,
    testing::Values(
        BrokenHeader{"not_json", "{\"a\":", 0, {"header:1:6: unexpected end of input"}},
        BrokenHeader{"empty_header", "", 0, {"header:1:1: unexpected end of input"}},
        BrokenHeader{"number_overflows",
                     R"({"a":{"dtype":"U8","shape":[461E686018427387904],"data_offsets":[0,1]}})",
                     1,
                     {"header: /a/shape/0: the number is too large"}},
        BrokenHeader{"nested_without_end",
                     R"({"a":)" + std::string(1'000'000, '[') + std::string(1'000'000, ']') + "}",
                     0,
                     {"nested deeper than 32 levels"}},
        BrokenHeader{"array", "[]", 0, {"header is a JSON array, must be an object"}},
        BrokenHeader{
            "duplicate_tensor",
            header_of({tensor("a", "U8", "[1]", "[0,1]"), tensor("a", "U8", "[1]", "[0,1]")}),
            1,
            {"header: key \"a\" stands here twice"}},
        BrokenHeader{"duplicate_member",
                     R"({"a":{"dtype":"U8","dtype":"U8","shape":[1],"data_offsets":[0,1]}})",
                     1,
                     {"header: /a: key \"dtype\" stands here twice"}},
        BrokenHeader{"metadata_number",
                     R"({"__metadata__":{"version":1}})",
                     0,
                     {"__metadata__: 'version' must be a string"}},
        BrokenHeader{
            "metadata_text", R"({"__metadata__":"x"})", 0, {"__metadata__ must be an object"}},
        BrokenHeader{
            "tensor_is_number", R"({"a":1})", 0, {"tensor 'a'", "must be an object with dtype"}},
        BrokenHeader{"missing_shape",
                     R"({"a":{"dtype":"U8","data_offsets":[0,1]}})",
                     1,
                     {"tensor 'a'", "'shape' is missing"}},
        BrokenHeader{"unknown_member",
                     R"({"a":{"dtype":"U8","shap":[1],"data_offsets":[0,1]}})",
                     1,
                     {"tensor 'a'", "unknown member 'shap' (did you mean shape?)"}},
        BrokenHeader{"unknown_dtype",
                     header_of({tensor("a", "BF17", "[1]", "[0,2]")}),
                     2,
                     {"tensor 'a'", "unknown dtype 'BF17' (did you mean BF16?)"}},
        BrokenHeader{"dtype_number",
                     R"({"a":{"dtype":3,"shape":[1],"data_offsets":[0,1]}})",
                     1,
                     {"tensor 'a'", "dtype must be a string"}},
        BrokenHeader{"negative_dimension",
                     header_of({tensor("a", "U8", "[-1]", "[0,1]")}),
                     1,
                     {"tensor 'a'", "shape [-1] must hold integers from 0"}},
        BrokenHeader{"fractional_dimension",
                     header_of({tensor("a", "U8", "[1.5]", "[0,1]")}),
                     1,
                     {"tensor 'a'", "shape [1.5] must hold integers"}},
        BrokenHeader{"dimension_beyond_63_bits",
                     header_of({tensor("a", "U8", "[9223372036854775808]", "[0,1]")}),
                     1,
                     {"tensor 'a'", "must hold integers from 0 to 2^63 - 1"}},
        BrokenHeader{"product_beyond_63_bits",
                     header_of({tensor("a", "F32", "[2147483648,2147483648]", "[0,1]")}),
                     1,
                     {"tensor 'a'", "F32 [2147483648, 2147483648] is larger than any file"}},
        BrokenHeader{"shape_is_text",
                     header_of({tensor("a", "U8", "\"1\"", "[0,1]")}),
                     1,
                     {"tensor 'a'", "shape must be an array"}},
        BrokenHeader{"one_offset",
                     header_of({tensor("a", "U8", "[1]", "[0]")}),
                     1,
                     {"tensor 'a'", "data_offsets [0] must be [BEGIN, END]"}},
        BrokenHeader{"reversed_offsets",
                     header_of({tensor("a", "U8", "[1]", "[1,0]")}),
                     1,
                     {"tensor 'a'", "data_offsets [1,0] must be [BEGIN, END] with BEGIN <= END"}},
        BrokenHeader{"offsets_against_shape",
                     header_of({tensor("a", "F32", "[4]", "[0,8]")}),
                     8,
                     {"tensor 'a'", "hold 8 bytes, but F32 [4] takes 16"}},
        BrokenHeader{"truncated_data",
                     header_of({tensor("a", "F32", "[4]", "[0,16]")}),
                     12,
                     {"tensor 'a'", "data ends at byte 16, but the file holds only 12"}},
        BrokenHeader{
            "overlap",
            header_of({tensor("a", "U8", "[4]", "[0,4]"), tensor("b", "U8", "[4]", "[2,6]")}),
            6,
            {"tensor 'b'", "begins at byte 2 and overlaps tensor 'a', which ends at 4"}},
        BrokenHeader{
            "gap",
            header_of({tensor("a", "U8", "[4]", "[0,4]"), tensor("b", "U8", "[4]", "[6,10]")}),
            10,
            {"tensor 'b'", "2 bytes after the end of tensor 'a'"}},
        BrokenHeader{"gap_before_the_first",
                     header_of({tensor("a", "U8", "[4]", "[4,8]")}),
                     8,
                     {"tensor 'a'", "4 bytes after the end of the header"}},
        BrokenHeader{"trailing_bytes",
                     header_of({tensor("a", "U8", "[4]", "[0,4]")}),
                     7,
                     {"3 trailing bytes after the end of tensor 'a' at byte 4"}},
        BrokenHeader{
            "data_without_tensors", "{}", 1, {"1 trailing bytes after the end of the header"}}),
    [](const auto& broken) { return std::string(broken.param.name); });

}  // namespace
}  // namespace vparity::harness

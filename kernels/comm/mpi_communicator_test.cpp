#include "vparity/mpi_communicator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "comm/mpi_check.h"
#include "vparity/errors.h"

namespace vparity {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// One megabyte on rank 0, less on the others, with a limit that makes each contribution many
/// blocks and a rest.
TEST(MpiCommunicator, ContributionsAboveTheCountLimitArriveWhole) {
  const auto group = make_mpi_communicator(MPI_COMM_WORLD, 1000);
  std::vector<std::size_t> sizes;
  for (int rank = 0; rank < group->size(); ++rank) {
    const auto r = static_cast<std::size_t>(rank);
    sizes.push_back(r == 1 ? 0 : 1048577 / (r + 1));
  }
  std::vector<std::byte> expected;
  for (std::size_t rank = 0; rank < sizes.size(); ++rank) {
    for (std::size_t i = 0; i < sizes[rank]; ++i) {
      expected.push_back(static_cast<std::byte>(i * i + rank));
    }
  }
  const auto own = static_cast<std::size_t>(group->rank());
  const std::size_t first =
      std::accumulate(sizes.begin(), sizes.begin() + group->rank(), std::size_t{0});
  std::vector<std::byte> received(expected.size());
  group->all_gather(std::span(expected).subspan(first, sizes[own]), received, sizes);
  EXPECT_TRUE(received == expected);
  EXPECT_EQ(group->counters().bytes_sent, static_cast<std::int64_t>(sizes[own]));
}

TEST(MpiCommunicator, ADuplicateDoesNotMixWithTheCallersMessages) {
  const auto first = make_mpi_communicator(MPI_COMM_WORLD);
  const auto second = make_mpi_communicator(MPI_COMM_WORLD);
  EXPECT_EQ(all_gather_values(*first, 1), std::vector(static_cast<std::size_t>(first->size()), 1));
  EXPECT_EQ(all_gather_values(*second, 2), std::vector(static_cast<std::size_t>(first->size()), 2));
}

TEST(MpiCommunicator, ACountLimitThatFitsNoIntIsRefused) {
  EXPECT_THROW(make_mpi_communicator(MPI_COMM_WORLD, 0), ArgumentError);
  EXPECT_THROW(make_mpi_communicator(MPI_COMM_WORLD, mpi_count_limit + 1), ArgumentError);
}

TEST(MpiCheck, SaysOperationPlaceAndMpisOwnText) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(MPI_ERR_TRUNCATE, text, &length);
  EXPECT_THAT([] { check_mpi(MPI_ERR_TRUNCATE, "MPI_Iallgatherv", "file.cpp", 7); },
              ThrowsMessage<CommunicationError>(
                  AllOf(HasSubstr("file.cpp:7"), HasSubstr("MPI_Iallgatherv"), HasSubstr(text))));
}

TEST(MpiCommunicator, AnErrorOfMpiIsACommunicationErrorAndDoesNotEndTheJob) {
  EXPECT_THROW(make_mpi_communicator(MPI_COMM_NULL), CommunicationError);
}

TEST(MpiSession, InitialisesMpiOnce) {
  EXPECT_THROW(MpiSession(nullptr, nullptr), CommunicationError);
}

}  // namespace
}  // namespace vparity

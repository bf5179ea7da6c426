// Folders and files that the command line names for what is to be written.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace vparity::harness {

/// Makes a folder, or sees that one is there that can be written. Throws UsageError naming
/// `option`.
void make_output_folder(const char* option, const std::string& path);

/// Throws UsageError naming `option` where `file` is there and is no regular file, or is one of
/// `inputs`, or would stand in one that is a folder: what is read is not written over.
void refuse_to_replace(const char* option, const std::filesystem::path& file,
                       const std::vector<std::filesystem::path>& inputs);

/// Makes the folder of --out. Throws UsageError if it holds anything (`advice` ends the message) or
/// cannot be made.
void make_empty_folder(const std::filesystem::path& path, std::string_view advice = {});

/// Makes the folder `wanted`, or "wanted-2" and so on if that exists, and returns its path: runs
/// that begin in the same second do not meet. Throws UsageError.
std::string make_unused_folder(const std::string& wanted);

}  // namespace vparity::harness

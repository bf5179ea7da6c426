// Output folders and files named on the command line.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace vparity::harness {

/// Makes a folder, or checks that the existing one is writable. Throws UsageError naming `option`.
void make_output_folder(const char* option, const std::string& path);

/// Protects inputs from being overwritten. Throws UsageError naming `option` if `file` exists and
/// is not a regular file, is one of `inputs`, or lies in an input folder.
void refuse_to_replace(const char* option, const std::filesystem::path& file,
                       const std::vector<std::filesystem::path>& inputs);

/// Makes the folder of --out. Throws UsageError if it is not empty (`advice` ends the message) or
/// cannot be made.
void make_empty_folder(const std::filesystem::path& path, std::string_view advice = {});

/// Makes the folder `wanted`, or "wanted-2" and so on if it exists, and returns its path. So runs
/// that begin in the same second get different folders. Throws UsageError.
std::string make_unused_folder(const std::string& wanted);

}  // namespace vparity::harness

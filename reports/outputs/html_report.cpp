#include "reports/outputs/html_report.h"

#include <openssl/evp.h>
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "reports/model/json_text.h"

namespace vparity::reports {

/// The page with `data_place` where its data goes; empty without the viewer. Embedded.
std::string_view viewer_page();

namespace {

constexpr std::string_view data_place = "__VPARITY_DATA__";

/// A run without cases has an empty parity report.
bool shows(const Report& report, Measure measure) {
  return report.has(measure) || (report.cases.empty() && measure == Measure::parity);
}

nlohmann::ordered_json data_of(const NamedReport& run) {
  nlohmann::ordered_json data{{"name", run.name}};
  for (const Measure measure : {Measure::parity, Measure::throughput})
    if (shows(*run.report, measure))
      data[std::string(name_of(measure))] = to_json(*run.report, measure);
  return data;
}

/// OpenSSL counts bytes by an int. A multiple of 3: base64 of the pieces is that of the whole.
constexpr std::size_t piece_bytes = std::size_t{3} << 20;

std::string compressed(std::string_view bytes) {
  uLongf size = compressBound(bytes.size());
  std::string out(size, '\0');
  const int result =
      compress2(std::bit_cast<Bytef*>(out.data()), &size, std::bit_cast<const Bytef*>(bytes.data()),
                bytes.size(), Z_DEFAULT_COMPRESSION);
  if (result != Z_OK) throw std::runtime_error(std::string("zlib: ") + zError(result));
  out.resize(size);
  return out;
}

std::string base64(std::string_view bytes) {
  std::string out((bytes.size() + 2) / 3 * 4 + 1, '\0');  // and the zero that OpenSSL writes
  std::size_t written = 0;
  for (; !bytes.empty(); bytes.remove_prefix(std::min(piece_bytes, bytes.size()))) {
    const auto piece = bytes.substr(0, piece_bytes);
    written += static_cast<std::size_t>(EVP_EncodeBlock(
        std::bit_cast<unsigned char*>(out.data() + written),
        std::bit_cast<const unsigned char*>(piece.data()), static_cast<int>(piece.size())));
  }
  out.resize(written);
  return out;
}

}  // namespace

std::string page_block(std::string_view bytes) { return base64(compressed(bytes)); }

bool has_viewer() { return !viewer_page().empty(); }

std::string html_report(const std::vector<NamedReport>& runs, const std::string& default_key,
                        const nlohmann::ordered_json& comparison, const HistoryPage* history) {
  const auto page = viewer_page();
  const auto place = page.find(data_place);
  if (place == std::string_view::npos) throw std::logic_error("this build has no viewer");
  nlohmann::ordered_json data{{"default_key", default_key},
                              {"runs", nlohmann::ordered_json::array()}};
  if (!comparison.is_null()) data["comparison"] = comparison;
  for (const auto& run : runs) data["runs"].push_back(data_of(run));
  if (history != nullptr) data["history"] = history_json(*history, 1);
  std::string text(page.substr(0, place));
  text += page_block(json_line(data));
  if (history != nullptr)
    for (const auto& block : history_blocks(*history->history)) text += "\n" + page_block(block);
  text += page.substr(place + data_place.size());
  return text;
}

}  // namespace vparity::reports

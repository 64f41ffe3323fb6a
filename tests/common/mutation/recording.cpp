// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "tests/common/mutation/recording.h"

#include <array>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <span>

namespace terrazzo::test {

namespace {

constexpr uint64_t kPage_B = 4096, kWords = kPage_B / 8;

class Loader {
  public:
    explicit Loader(Recording& out) : out_(out) {}
    void memory(uint64_t va, std::span<const uint8_t> bytes) {
        for (size_t at = 0; at + kPage_B <= bytes.size(); at += kPage_B)
            page(va + at, bytes.data() + at);
    }
    void zeros(uint64_t va, uint64_t size_B) {
        static constexpr uint8_t kZeros[kPage_B] = {};
        for (uint64_t at = 0; at + kPage_B <= size_B; at += kPage_B)
            page(va + at, kZeros);
    }
    void submit(Submission s) {
        s.changes = std::move(changes_);
        changes_.clear();
        s.continues =
            s.changes.empty() && !out_.submissions.empty() && out_.submissions.back().queue == s.queue;
        out_.submissions.push_back(std::move(s));
    }
    void finish() {
        for (const auto& [number, page] : pages_) {
            const uint64_t va = number * kPage_B;
            if (out_.memory.empty() || out_.memory.back().end != va) out_.memory.push_back({va, va});
            out_.memory.back().end = va + kPage_B;
        }
    }

  private:
    using Page = std::array<uint64_t, kWords>;

    void page(uint64_t va, const uint8_t* bytes) {
        Page now;
        std::memcpy(now.data(), bytes, kPage_B);
        static constexpr Page kZeros{};
        std::unique_ptr<Page>& known = pages_[va / kPage_B];
        const Page& before = known ? *known : kZeros;
        for (uint64_t i = 0; i < kWords; ++i) {
            if (now[i] == before[i]) continue;
            if (changes_.empty() || changes_.back().va + 8 * changes_.back().words.size() != va + 8 * i)
                changes_.push_back({va + 8 * i, {}});
            changes_.back().words.push_back(now[i]);
        }
        if (now == kZeros)
            known.reset();
        else
            known = std::make_unique<Page>(now);
    }

    Recording& out_;
    std::map<uint64_t, std::unique_ptr<Page>> pages_;  // by page number; null: zeros
    std::vector<Words> changes_;
};

bool read_file(const std::string& name, std::vector<uint8_t>* out) {
    std::FILE* const f = std::fopen(name.c_str(), "rb");
    if (!f) return false;
    std::vector<uint8_t> piece(1 << 20);
    while (const size_t n = std::fread(piece.data(), 1, piece.size(), f))
        out->insert(out->end(), piece.begin(), piece.begin() + std::ptrdiff_t(n));
    const bool good = !std::ferror(f);
    std::fclose(f);
    return good;
}

}  // namespace

bool load_recording(const std::string& file, Recording* out, std::string* why) {
    std::vector<uint8_t> bytes;
    if (!read_file(file, &bytes)) return *why = file + " cannot be read", false;
    capture::CaptureReader reader(bytes);
    Loader loader(*out);
    for (capture::Record r; reader.next(&r);) {
        switch (r.type) {
            case capture::RecordType::Chip:
                out->vendor = r.vendor;
                out->gpu_id = r.gpu_id;
                out->variant = r.variant;
                break;
            case capture::RecordType::Memory:
                loader.memory(r.va, r.bytes);
                break;
            case capture::RecordType::Zeros:
                loader.zeros(r.va, r.size_B);
                break;
            case capture::RecordType::Submit:
                loader.submit({r.va, uint32_t(r.size_B), r.queue, {}});
                break;
            case capture::RecordType::Note:
                break;
        }
    }
    loader.finish();
    if (reader.error()) return *why = file + ": " + reader.error(), false;
    if (!out->gpu_id) return *why = file + ": of no chip", false;
    return true;
}

}  // namespace terrazzo::test

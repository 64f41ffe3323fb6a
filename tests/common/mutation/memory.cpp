// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "tests/common/mutation/memory.h"

#include <sys/mman.h>

#include <cstring>
#include <new>

namespace terrazzo::test {

/// Zeroed pages that need memory only when they are written.
class RecordedMemory::Pages {
  public:
    explicit Pages(const Range& range) : range(range) { map(nullptr, 0); }
    ~Pages() { munmap(host, size()); }
    Pages(const Pages&) = delete;
    void clear() { map(host, MAP_FIXED); }
    size_t size() const { return size_t(range.end - range.begin); }
    const Range range;
    uint8_t* host = nullptr;

  private:
    void map(void* at, int flags) {
        void* const p = mmap(at, size(), PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);
        if (p == MAP_FAILED) throw std::bad_alloc();
        host = static_cast<uint8_t*>(p);
    }
};

RecordedMemory::RecordedMemory(Recording& recording, const std::vector<Range>& more) {
    for (const auto* ranges : {static_cast<const std::vector<Range>*>(&recording.memory), &more})
        for (const Range& r : *ranges)
            pages_.push_back(std::make_unique<Pages>(r));
}

RecordedMemory::~RecordedMemory() = default;

window::Mapping RecordedMemory::find(uint64_t va) const {
    for (const auto& p : pages_)
        if (va >= p->range.begin && va < p->range.end)
            return {p->range.begin, p->range.end, p->host, true, true};
    return {};
}

uint64_t* RecordedMemory::word(uint64_t va) const {
    const window::Mapping m = find(va & ~7ull);
    return m.end ? reinterpret_cast<uint64_t*>(m.host + ((va & ~7ull) - m.begin)) : nullptr;
}

void RecordedMemory::begin_run() {
    for (const auto& p : pages_)
        p->clear();
}

void RecordedMemory::apply(Submission& s, const std::function<bool(uint64_t va)>& not_hosts) {
    std::vector<Words> own;
    for (const Words& run : s.changes) {
        uint64_t* const to = word(run.va);
        if (!to) continue;
        if (pure_) {
            std::memcpy(to, run.words.data(), 8 * run.words.size());
            continue;
        }
        for (size_t i = 0; i < run.words.size(); ++i) {
            const uint64_t va = run.va + 8 * i;
            if (to[i] == run.words[i] || not_hosts(va)) continue;
            if (own.empty() || own.back().va + 8 * own.back().words.size() != va) own.push_back({va, {}});
            own.back().words.push_back(run.words[i]);
            to[i] = run.words[i];
        }
    }
    if (!pure_) s.changes = std::move(own);
}

uint64_t RecordedMemory::digest() const {
    uint64_t h = 0;
    for (const auto& p : pages_) {
        // Untouched pages read as zeros and do not change the digest.
        std::vector<unsigned char> resident((p->size() + 4095) / 4096);
        if (mincore(p->host, p->size(), resident.data()) != 0) resident.assign(resident.size(), 1);
        for (size_t n = 0; n < resident.size(); ++n) {
            if (!(resident[n] & 1)) continue;
            uint64_t words[512], any = 0;
            std::memcpy(words, p->host + n * 4096, sizeof words);
            uint64_t of_page = 0;
            for (const uint64_t w : words) {
                any |= w;
                of_page = (of_page ^ w) * 0x9e3779b97f4a7c15ull;
                of_page ^= of_page >> 29;
            }
            if (any) h += (of_page ^ (p->range.begin + n * 4096)) * 0xbf58476d1ce4e5b9ull;
        }
    }
    return h;
}

}  // namespace terrazzo::test

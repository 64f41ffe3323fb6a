// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// When a program must be decoded again.
#include <doctest/doctest.h>

#include <vector>

#include "drivers/common/core/program_cache.h"

using namespace terrazzo;

namespace {

constexpr uint64_t kAt = 0x10000;

/// One page of code.
class Page final : public window::Space {
  public:
    window::Mapping find(uint64_t va) override {
        if (va < kAt || va >= kAt + sizeof(words)) return {};
        return {kAt, kAt + sizeof(words), reinterpret_cast<uint8_t*>(words), false, true};
    }
    uint64_t epoch() const override { return 1; }
    void run_code(uint64_t) override { ++reported; }
    uint64_t words[16] = {};
    unsigned reported = 0;
};

struct Program {
    std::vector<uint64_t> words;
};
unsigned decoded = 0;
// The words up to the first zero.
std::shared_ptr<const Program> decode(window::Window& memory, uint64_t va, uint32_t limit) {
    ++decoded;
    auto p = std::make_shared<Program>();
    uint64_t word = 0;
    while (p->words.size() < limit && memory.read(va + 8 * p->words.size(), &word, 8) && word)
        p->words.push_back(word);
    return p;
}
using Cache = core::ProgramCache<Program, decode, 4>;

}  // namespace

TEST_CASE("program cache: words are compared once for each job, or each time") {
    Page page;
    page.words[0] = 7, page.words[1] = 8;
    window::Window memory(page);
    decoded = 0;
    Cache cache;
    CHECK(cache.find(memory, kAt)->words == std::vector<uint64_t>{7, 8});
    CHECK(cache.find(memory, kAt)->words.size() == 2);
    CHECK(decoded == 1);
    page.words[1] = 9;
    CHECK(cache.find(memory, kAt)->words[1] == 9);
    CHECK(decoded == 2);

    cache.begin_job();
    page.reported = 0;
    CHECK(cache.find(memory, kAt)->words[1] == 9);
    page.words[1] = 10;
    CHECK(cache.find(memory, kAt)->words[1] == 9);  // in the same job
    CHECK(page.reported == 1);
    cache.begin_job();
    CHECK(cache.find(memory, kAt)->words[1] == 10);
    CHECK(decoded == 3);
}

TEST_CASE("program cache: the limit of instructions, and unmapped code") {
    Page page;
    for (uint64_t& w : page.words)
        w = 1;
    window::Window memory(page);
    Cache cache;
    CHECK(cache.find(memory, kAt)->words.size() == 4);
    CHECK(cache.find(memory, kAt + 8 * 14)->words.size() == 2);
    CHECK(cache.find(memory, 0)->words.empty());
    page.words[0] = 5;  // an empty program is decoded each time
    CHECK(cache.find(memory, kAt)->words[0] == 5);
}

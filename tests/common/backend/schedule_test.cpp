// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Scheduling, on code of the toy.
#include "drivers/common/backend/schedule.h"

#include "tests/common/backend/toy.h"

using namespace terrazzo::backend;
using namespace terrazzo::backend::testing;

namespace {

/// Room for so many registers r.
std::string scheduled(std::string_view text, unsigned registers = 8) {
    Parsed p(text);
    schedule<Toy>(p.f, registers * 2);
    return p.text();
}

/// As if allocation had been done: all words are registers.
std::string scheduled_registers(std::string_view text) {
    Parsed p(text);
    for (uint32_t w = 0; w < p.f.words(); w++)
        p.f.reg.push_back(uint16_t(p.f.fixed_unit(w)));
    schedule<Toy>(p.f, 0);
    return p.text();
}

}  // namespace

TEST_CASE("backend schedule: what must be in a row stays") {
    for (const char* text : {
             "block0:\n  load %8 <- r0\n  add %9 <- %8\n  add %10 <- %9\n  store <- %10\n",
             // Memory, and what nothing passes.
             "block0:\n  store <- r0 #4\n  store <- r1 #4\n  load %8 <- r2\n  store <- %8\n",
             "block0:\n  store <- r0\n  fence\n  load %8 <- r1\n  store <- %8\n",
             "block0:\n  add %8 <- r0\n  store <- %8\n  call\n  load %9 <- r2\n  store <- %9\n",
             // A word's next value waits for who reads the last one.
             "block0:\n  const %8 #1\n  store <- %8\n  load %8 <- r0\n  store <- %8\n",
         })
        CHECK(scheduled(text) == text);
}

TEST_CASE("backend schedule: what takes long goes first, as far as there are registers") {
    const char* text =
        "block0:\n  const %8 #1\n  add %9 <- %8, r0\n  load %10 <- r1\n  add %11 <- %10, r2\n  add %12 <- "
        "%9, "
        "%11\n  store <- %12\n";
    CHECK(scheduled(text) ==
          "block0:\n  load %10 <- r1\n  const %8 #1\n  add %9 <- %8, r0\n  add %11 <- %10, r2\n  add %12 <- "
          "%9, "
          "%11\n  store <- %12\n");
    // With room for r0 and one result, the first one is used before the second is loaded.
    const std::string loads = "block0:\n  load %8 <- r0\n  load %9 <- r0\n", sum = "  add %10 <- %8\n",
                      stores = "  store <- %10\n  store <- %9\n  store <- r0\n";
    CHECK(scheduled(loads + sum + stores, 3) == loads + sum + stores);
    CHECK(scheduled(loads + sum + stores, 2) ==
          "block0:\n  load %8 <- r0\n" + sum + "  load %9 <- r0\n" + stores);
}

TEST_CASE("backend schedule: halves weigh half as much") {
    const char* text =
        "%8: h x1\n%9: h x1\nblock0:\n  const %8 #1\n  const %9 #2\n  store <- %8\n  store <- %9\n";
    // Both fit into one register.
    CHECK(scheduled(text, 1) == text);
    const char* full = "block0:\n  const %8 #1\n  const %9 #2\n  store <- %8\n  store <- %9\n";
    CHECK(scheduled(full, 1) == "block0:\n  const %8 #1\n  store <- %8\n  const %9 #2\n  store <- %9\n");
}

TEST_CASE("backend schedule: registers are kept in order where they alias") {
    // h2 is half of r1; r3 is nobody's.
    CHECK(
        scheduled_registers("block0:\n  add r4 <- r1\n  load h2 <- r0\n  widen r5 <- r1\n  const r3 #1\n") ==
        "block0:\n  add r4 <- r1\n  load h2 <- r0\n  const r3 #1\n  widen r5 <- r1\n");
    CHECK(
        scheduled_registers("block0:\n  add r4 <- r1\n  load h4 <- r0\n  widen r5 <- r1\n  const r3 #1\n") ==
        "block0:\n  load h4 <- r0\n  add r4 <- r1\n  widen r5 <- r1\n  const r3 #1\n");
}

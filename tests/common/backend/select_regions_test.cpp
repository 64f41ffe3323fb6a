// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Regions of the IR become blocks of the toy: on a machine with branches, and on one with a stack of
// execution masks.
#include <random>

#include "shaders/ir/parse.h"
#include "tests/common/backend/toy_selector.h"

using namespace terrazzo;
using namespace terrazzo::backend;
using namespace terrazzo::backend::testing;

namespace {

/// The toy's code for a fragment shader with this body.
template <typename Selector = BranchToy>
std::string selected(const std::string& body) {
    const ir::ParseResult parsed = ir::parse("fragment {\n  info outputs_written=0x1\n" + body + "}\n");
    REQUIRE_MESSAGE(parsed.shader, parsed.error);
    std::pmr::monotonic_buffer_resource arena;
    ToyCode f(&arena);
    Selector(f, *parsed.shader).run();
    CHECK(f.error.empty());
    f.link();
    return print<Toy>(f);
}

}  // namespace

TEST_CASE("backend regions: an if without else jumps over one block") {
    CHECK(selected("  %0: i32 = const 7\n  %1: bool = ilt %0, %0\n  if %1 {\n    store_output 0.x, %0\n  }\n"
                   "  store_output 0.y, %0\n") ==
          "block0:\n  const %8 #7\n  less %9 <- %8, %8\n  branch <- %9 -> block2\n"
          "block1:\n  store <- %8\n"
          "block2:\n  store <- %8 #1\n");
}

TEST_CASE("backend regions: both arms of an if move their results to the same words") {
    CHECK(selected("  %0: i32 = const 7\n  %1: i32 = const 8\n  %2: bool = ilt %0, %1\n"
                   "  %3: i32, %4: i32 = if %2 {\n    yield %0, %1\n  } else {\n    yield %1, %0\n  }\n"
                   "  store_output 0.x, %3\n  store_output 0.y, %4\n") ==
          "block0:\n  const %8 #7\n  const %9 #8\n  less %10 <- %8, %9\n  branch <- %10 -> block2\n"
          "block1:\n  mov %11 <- %8\n  mov %12 <- %9\n  jump -> block3\n"
          "block2:\n  mov %11 <- %9\n  mov %12 <- %8\n"
          "block3:\n  store <- %11\n  store <- %12 #1\n");
}

TEST_CASE("backend regions: a loop swaps its values in parallel; unchanged ones are not moved") {
    CHECK(
        selected(
            "  %0: i32 = const 7\n  %1: i32 = const 8\n"
            "  %5: i32 = loop (%2: i32 = %0, %3: i32 = %1, %6: i32 = %0) {\n"
            "    %4: bool = ilt %2, %3\n    if %4 {\n      break %3\n    }\n    continue %3, %2, %6\n  }\n"
            "  store_output 0.x, %5\n") ==
        "block0:\n  const %8 #7\n  const %9 #8\n  mov %10 <- %8\n  mov %11 <- %9\n  mov %12 <- %8\n"
        "block1:\n  less %14 <- %10, %11\n  branch <- %14 -> block3\n"
        "block2:\n  mov %13 <- %11\n  jump -> block4\n"
        "block3:\n  mov %15 <- %11\n  mov %16 <- %10\n  mov %10 <- %15\n  mov %11 <- %16\n  jump -> block1\n"
        "block4:\n  store <- %13\n");
}

TEST_CASE("backend regions: no jump follows an arm that ends with break or return") {
    CHECK(selected(
              "  %0: i32 = const 7\n  %1: bool = ilt %0, %0\n"
              "  loop () {\n    if %1 {\n      break\n    } else {\n      store_output 0.x, %0\n    }\n    "
              "continue\n  }\n") ==
          "block0:\n  const %8 #7\n  less %9 <- %8, %8\n"
          "block1:\n  branch <- %9 -> block3\n"
          "block2:\n  jump -> block5\n"
          "block3:\n  store <- %8\n"
          "block4:\n  jump -> block1\n"
          "block5:\n");
}

TEST_CASE("backend regions: on a machine with masks both arms are in one block, and a loop is one") {
    CHECK(selected<MaskToy>(
              "  %0: i32 = const 7\n  %1: bool = ilt %0, %0\n  if %1 {\n    store_output 0.x, %0\n"
              "  } else {\n    store_output 0.y, %0\n  }\n  store_output 0.z, %0\n") ==
          "block0:\n  const %8 #7\n  less %9 <- %8, %8\n"
          "  if <- %9\n  store <- %8\n  else\n  store <- %8 #1\n  pop #1\n  store <- %8 #2\n");
    // Threads that break inside two ifs must sleep until after both ifs and the loop.
    CHECK(selected<MaskToy>(
              "  %0: i32 = const 7\n  %1: bool = ilt %0, %0\n  loop () {\n    if %1 {\n"
              "      if %1 {\n        break\n      }\n      continue\n    }\n    continue\n  }\n") ==
          "block0:\n  const %8 #7\n  less %9 <- %8, %8\n  loop\n"
          "block1:\n  if <- %9\n  if <- %9\n  leave #4\n  pop #1\n  leave #2\n  pop #1\n  leave #1\n"
          "  resume\n  any -> block1\n"
          "block2:\n  pop #2\n");
}

namespace {

/// Text of random bodies with ifs and loops, whose conditions differ between threads. Loops end, because each
/// counts to a number of at most kMostTurns.
class RandomBody {
  public:
    explicit RandomBody(uint32_t seed) : random_(seed) {}
    std::string make() {
        for (unsigned c = 0; c < 4; c++)
            define("load_input 0." + std::string(1, "xyzw"[c]));
        for (unsigned k = 0; k < 4; k++)
            define("const " + std::to_string(k ? below(9) : 1));
        one_ = values_[4];
        block(0, 3 + below(5));
        return text_;
    }

  private:
    static constexpr unsigned kMostTurns = 4, kMostDepth = 4;

    unsigned below(unsigned n) { return unsigned(random_() % n); }
    std::string fresh() { return "%" + std::to_string(next_++); }
    std::string any() { return values_[below(unsigned(values_.size()))]; }
    void line(const std::string& what) { text_ += "  " + what + "\n"; }
    std::string define(const std::string& what, const char* type = "i32") {
        const std::string v = fresh();
        line(v + ": " + type + " = " + what);
        if (type == std::string_view("i32")) values_.push_back(v);
        return v;
    }
    std::string condition() {
        const std::string a = any(), b = any();
        return define("ilt " + a + ", " + b, "bool");
    }
    void block(unsigned depth, unsigned count) {
        while (count--) {
            const unsigned what = below(depth < kMostDepth ? 10 : 6);
            if (what < 4) {
                const std::string a = any(), b = any();
                define("iadd " + a + ", " + b);
            } else if (what < 6) {
                line("store_output 0." + std::string(1, "xyzw"[below(4)]) + ", " + any());
            } else if (what < 8) {
                branch(depth + 1);
            } else {
                loop(depth + 1);
            }
        }
    }
    /// Values of a region do not exist after it. False: the body left the loop.
    bool arm(unsigned depth, bool may_leave, const std::string& yields) {
        const size_t known = values_.size();
        block(depth, below(4));
        bool stays = true;
        if (may_leave && turn_.size() && !below(3)) {
            stays = false;
            if (below(2)) {
                line("break " + any());
            } else {
                repeat();
            }
        } else if (!yields.empty()) {
            line("yield " + any());
        }
        values_.resize(known);
        return stays;
    }
    void branch(unsigned depth) {
        const std::string c = condition(), result = below(2) ? fresh() : "";
        line((result.empty() ? "" : result + ": i32 = ") + "if " + c + " {");
        const bool falls = arm(depth, true, result);
        if (!result.empty() || below(2)) {
            line("} else {");
            (void)arm(depth, falls, result);
        }
        line("}");
        if (!result.empty()) values_.push_back(result);
    }
    void repeat() {
        const std::string next = fresh();
        line(next + ": i32 = iadd " + turn_.back() + ", " + one_);
        line("continue " + next + ", " + any());
    }
    void loop(unsigned depth) {
        const std::string zero = define("const 0"),
                          most = define("const " + std::to_string(1 + below(kMostTurns)));
        const std::string result = fresh(), turn = fresh(), carried = fresh(), start = any();
        line(result + ": i32 = loop (" + turn + ": i32 = " + zero + ", " + carried + ": i32 = " + start +
             ") {");
        const size_t known = values_.size();
        values_.push_back(turn);
        values_.push_back(carried);
        turn_.push_back(turn);
        const std::string goes_on = define("ilt " + turn + ", " + most, "bool");
        line("if " + goes_on + " {");
        line("} else {");
        line("break " + any());
        line("}");
        block(depth, below(5));
        repeat();
        turn_.pop_back();
        values_.resize(known);
        line("}");
        values_.push_back(result);
    }

    std::mt19937 random_;
    std::string text_, one_;
    unsigned next_ = 0;
    std::vector<std::string> values_, turn_;
};

}  // namespace

TEST_CASE("backend regions: a machine with masks computes the same as one with branches, for every thread") {
    constexpr uint64_t kSteps = 2'000'000;
    unsigned loops = 0, stores = 0;
    for (uint32_t seed = 0; seed < 400; seed++) {
        const std::string body = RandomBody(seed).make();
        INFO(body);
        const ir::ParseResult parsed = ir::parse("fragment {\n  info outputs_written=0x1\n" + body + "}\n");
        REQUIRE_MESSAGE(parsed.shader, parsed.error);
        std::pmr::monotonic_buffer_resource arena;
        ToyCode branches(&arena), masks(&arena);
        BranchToy(branches, *parsed.shader).run();
        MaskToy(masks, *parsed.shader).run();
        ToyStores alone, together;
        for (unsigned t = 0; t < ToyStores::kThreads; t++) {
            execute(branches, t, t + 1, kSteps, &alone);
            REQUIRE(alone.ended);
        }
        execute(masks, 0, ToyStores::kThreads, kSteps, &together);
        CHECK(alone == together);
        loops += body.find("loop") != std::string::npos;
        for (const auto& s : alone.by_thread)
            stores += unsigned(s.size());
    }
    CHECK(loops > 100);
    CHECK(stores > 10000);
}

// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Regions of the IR become blocks of the toy. Its selector knows constants, additions and stores of outputs; "branch" goes away
// where the condition is zero.
#include "drivers/common/backend/select_regions.h"

#include <unordered_map>

#include "shaders/ir/parse.h"
#include "tests/common/backend/toy.h"

using namespace terrazzo;
using namespace terrazzo::backend;
using namespace terrazzo::backend::testing;

namespace {

struct ToyRef {
    uint32_t index = kNoWord;
    [[nodiscard]] static bool is_word() { return true; }
    [[nodiscard]] static bool plain() { return true; }
};

class ToySelector : RegionSelector<ToySelector, ToyCode> {
    friend class RegionSelector<ToySelector, ToyCode>;

  public:
    explicit ToySelector(ToyCode& f) : RegionSelector(f) {}
    void run(const ir::Shader& s) {
        begin_block();
        region(s.body);
    }

  private:
    struct Given {
        uint32_t word;
        ToyRef value;
    };
    uint32_t word_of(const ir::Value* v) {
        const auto [it, is_new] = words_.try_emplace(v, 0);
        if (is_new) it->second = f_.add_node(1);
        return it->second;
    }
    void push(const char* op, uint32_t to, std::initializer_list<uint32_t> from, uint32_t number = 0) {
        ToyInst i;
        i.op = find_toy_op(op);
        if (to != kNoWord) i.write = {to, 1};
        for (const uint32_t w : from)
            i.read[i.reads++] = {w, 1};
        i.number = number;
        f_.blocks[block_].insts.push_back(i);
    }
    void give(ir::Value* const* to, const ir::Instr& from) {
        std::pmr::vector<Given> all(f_.memory);
        for (unsigned k = 0; k < from.operand_count; k++)
            all.push_back({word_of(to[k]), {word_of(from.operand(k))}});
        move_together(
            all, [&](uint32_t word, const Given& g) { push("mov", word, {g.value.index}); },
            [&](const Given&) { return ToyRef{f_.add_node(1)}; });
    }
    Branch branch_unless(const ir::Value* condition) {
        push("branch", kNoWord, {word_of(condition)});
        return last();
    }
    Branch jump() {
        push("jump", kNoWord, {});
        return last();
    }
    void visit(const ir::Instr& i) {
        switch (i.op) {
            case ir::Op::If:
                return emit_if(i);
            case ir::Op::Loop:
                return emit_loop(i);
            case ir::Op::Break:
            case ir::Op::Continue:
                return leave_loop(i);
            case ir::Op::Yield:
                return;
            case ir::Op::Const:
                return push("const", word_of(i.result()), {}, uint32_t(i.u.bits));
            case ir::Op::StoreOutput:
                return push("store", kNoWord, {word_of(i.operand(0))});
            default:
                return push("add", word_of(i.result()), {word_of(i.operand(0)), word_of(i.operand(1))});
        }
    }
    std::unordered_map<const ir::Value*, uint32_t> words_;
};

/// The toy's code for that body of a fragment shader.
std::string selected(const std::string& body) {
    const ir::ParseResult parsed = ir::parse("fragment {\n  info outputs_written=0x1\n" + body + "}\n");
    REQUIRE_MESSAGE(parsed.shader, parsed.error);
    std::pmr::monotonic_buffer_resource arena;
    ToyCode f(&arena);
    ToySelector(f).run(*parsed.shader);
    CHECK(f.error.empty());
    f.link();
    return print<Toy>(f);
}

}  // namespace

TEST_CASE("backend regions: an if without else jumps over one block") {
    CHECK(selected("  %0: i32 = const 7\n  %1: bool = ilt %0, %0\n  if %1 {\n    store_output 0.x, %0\n  }\n"
                   "  store_output 0.y, %0\n") ==
          "block0:\n  const %8 #7\n  add %9 <- %8, %8\n  branch <- %9 -> block2\n"
          "block1:\n  store <- %8\n"
          "block2:\n  store <- %8\n");
}

TEST_CASE("backend regions: both arms of an if move what they yield to the same words") {
    CHECK(selected("  %0: i32 = const 7\n  %1: i32 = const 8\n  %2: bool = ilt %0, %1\n"
                   "  %3: i32, %4: i32 = if %2 {\n    yield %0, %1\n  } else {\n    yield %1, %0\n  }\n"
                   "  store_output 0.x, %3\n  store_output 0.y, %4\n") ==
          "block0:\n  const %8 #7\n  const %9 #8\n  add %10 <- %8, %9\n  branch <- %10 -> block2\n"
          "block1:\n  mov %11 <- %8\n  mov %12 <- %9\n  jump -> block3\n"
          "block2:\n  mov %11 <- %9\n  mov %12 <- %8\n"
          "block3:\n  store <- %11\n  store <- %12\n");
}

TEST_CASE("backend regions: a loop that swaps its values does so at once; what stays is not moved") {
    CHECK(
        selected(
            "  %0: i32 = const 7\n  %1: i32 = const 8\n"
            "  %5: i32 = loop (%2: i32 = %0, %3: i32 = %1, %6: i32 = %0) {\n"
            "    %4: bool = ilt %2, %3\n    if %4 {\n      break %3\n    }\n    continue %3, %2, %6\n  }\n"
            "  store_output 0.x, %5\n") ==
        "block0:\n  const %8 #7\n  const %9 #8\n  mov %10 <- %8\n  mov %11 <- %9\n  mov %12 <- %8\n"
        "block1:\n  add %14 <- %10, %11\n  branch <- %14 -> block3\n"
        "block2:\n  mov %13 <- %11\n  jump -> block4\n"
        "block3:\n  mov %15 <- %11\n  mov %16 <- %10\n  mov %10 <- %15\n  mov %11 <- %16\n  jump -> block1\n"
        "block4:\n  store <- %13\n");
}

TEST_CASE("backend regions: no jump stands behind an arm that has left") {
    CHECK(selected("  %0: i32 = const 7\n  %1: bool = ilt %0, %0\n"
                   "  loop () {\n    if %1 {\n      break\n    } else {\n      store_output 0.x, %0\n    }\n    "
                   "continue\n  }\n") ==
          "block0:\n  const %8 #7\n  add %9 <- %8, %8\n"
          "block1:\n  branch <- %9 -> block3\n"
          "block2:\n  jump -> block5\n"
          "block3:\n  store <- %8\n"
          "block4:\n  jump -> block1\n"
          "block5:\n");
}

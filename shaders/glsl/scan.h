// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A scan of the whole tree before its translation: which variables are written, and where; which control flow
// a statement contains; the functions and their calls. It limits the depth, so that later walks may recurse.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "shaders/glsl/ast.h"

namespace terrazzo::shaders::glsl {

namespace node_flag {
inline constexpr uint8_t kReturn = 1;
inline constexpr uint8_t kKill = 2;
inline constexpr uint8_t kBreak = 4;     // of the loop or switch around the node
inline constexpr uint8_t kContinue = 8;  // of the loop around the node
inline constexpr uint8_t kEffect = 16;   // assigns or calls a function
}  // namespace node_flag

struct SymbolUse {
    uint32_t writes = 0;
    uint32_t write_block = 0;
    uint32_t mediump_writes = 0;  // assignments of values that may be computed in 16 bits
    bool partial = false;         // a write of a part, or by a compound assignment
    bool stray_read = false;      // a read that no write dominates
    bool array_indexed = false;   // with a dynamic index
    bool read = false;
    uint64_t elements = 0;  // for an array: elements below 64 that are accessed by constant index
    bool whole = false;     // used other than by constant element
    /// Written once, as a whole, before every read: the value can replace the variable.
    [[nodiscard]] bool single() const { return writes == 1 && !partial && !stray_read; }
    [[nodiscard]] bool used() const { return read || writes; }
};

struct Function {
    glslang::TIntermAggregate* node = nullptr;
    glslang::TIntermAggregate* body = nullptr;  // null: empty
    glslang::TIntermSequence* parameters = nullptr;
    std::vector<std::string_view> calls;  // mangled names
    uint8_t flags = 0;                    // node_flag of the body
    uint32_t returns = 0;
    uint8_t state = 0;  // for the walk over the call graph
};

class Scan {
  public:
    /// False: `error` and `error_line` have the error (too deep, recursion, a function without a body).
    bool run(TIntermNode* root);

    [[nodiscard]] const SymbolUse& use(long long id) const;
    [[nodiscard]] uint8_t flags(const TIntermNode* n) const;
    [[nodiscard]] Function* function(std::string_view mangled);
    [[nodiscard]] glslang::TIntermAggregate* linker_objects() const { return linker_objects_; }
    [[nodiscard]] Function* main() { return main_; }
    /// Information that glslang does not have: `#pragma STDGL invariant(all)` and redeclared built-in
    /// variables.
    void set_invariant(bool all, const std::vector<std::string>& builtins) {
        invariant_all_ = all;
        invariant_builtins_ = builtins;
    }
    /// GL_EXT_texture_shadow_lod is enabled.
    void set_shadow_lod(bool enabled) { shadow_lod_ = enabled; }
    [[nodiscard]] bool invariant_all() const { return invariant_all_; }
    [[nodiscard]] bool is_invariant(std::string_view builtin) const;
    [[nodiscard]] const std::vector<std::string>& invariant_builtins() const { return invariant_builtins_; }
    /// Whether the shader has a statement that assigns to this gl_ variable.
    [[nodiscard]] bool writes_builtin(std::string_view name) const;
    /// Whether any output of the stage is declared invariant.
    [[nodiscard]] bool invariant_output() const { return invariant_output_ || invariant_all_; }

    std::string error;
    int error_line = 0;

  private:
    uint8_t scan(TIntermNode* n);
    uint8_t scan_block(TIntermNode* n);
    uint8_t scan_binary(glslang::TIntermBinary* n);
    uint8_t scan_chain(glslang::TIntermBinary* n);
    uint8_t scan_aggregate(glslang::TIntermAggregate* n);
    uint8_t scan_call(glslang::TIntermAggregate* n);
    uint8_t scan_loop(glslang::TIntermLoop* n);
    uint8_t scan_switch(glslang::TIntermSwitch* n);
    uint8_t scan_branch(glslang::TIntermBranch* n);
    uint8_t scan_place(TIntermNode* n, bool whole_write);
    uint8_t scan_function(glslang::TIntermAggregate* n);
    void note_qualifier(glslang::TIntermSymbol* s);
    void note_read(glslang::TIntermSymbol* s, bool element = false);
    void note_write(glslang::TIntermSymbol* s, bool whole);
    void note_index(glslang::TIntermBinary* n);
    bool check_calls(Function& f);
    void open_block();
    void close_block();
    void fail(const TIntermNode* n, std::string message);

    std::unordered_map<long long, SymbolUse> uses_;
    std::unordered_map<const TIntermNode*, uint8_t> flags_;
    std::unordered_map<std::string_view, Function> functions_;
    std::vector<std::string> invariant_builtins_, written_builtins_;
    std::vector<uint32_t> open_;  // ids of the blocks around the current node
    std::vector<bool> active_;    // by block id
    Function* current_ = nullptr;
    Function* main_ = nullptr;
    glslang::TIntermAggregate* linker_objects_ = nullptr;
    unsigned depth_ = 0;
    bool invariant_output_ = false, invariant_all_ = false, shadow_lod_ = false;
};

/// Whether a function changes shared memory, or orders such changes.
[[nodiscard]] bool writes_memory(glslang::TOperator op);

/// An operator with two values as operands: not an assignment, index, member or swizzle.
[[nodiscard]] bool is_operator(TIntermNode* n);
/// A chain of operators, each the left operand of the next one, up to `last`. First operator first.
[[nodiscard]] std::vector<glslang::TIntermBinary*> operator_chain(glslang::TIntermBinary* last);

/// The symbol at the base of a chain of index, member and swizzle operations; null if there is none.
[[nodiscard]] glslang::TIntermSymbol* base_symbol(TIntermNode* n);

}  // namespace terrazzo::shaders::glsl

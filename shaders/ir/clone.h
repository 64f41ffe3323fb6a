// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Copies of instructions with their regions. clone(const Shader&) is declared in ir.h.
#pragma once

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

/// Maps values of the original to values of the copy. A value that was never set maps to itself.
class CloneMap {
  public:
    /// `vars`: the copy's variables by id, if the copy is in another shader; null within one shader.
    explicit CloneMap(const std::vector<Var*>* vars = nullptr) : vars_(vars) {}
    void set(const Value* from, Value* to);
    [[nodiscard]] Value* get(Value* from) const;
    [[nodiscard]] Value* at(uint32_t id) const { return values_[id]; }
    [[nodiscard]] uint32_t size() const { return uint32_t(values_.size()); }
    [[nodiscard]] Var* var(Var* from) const { return from && vars_ ? (*vars_)[from->id] : from; }

  private:
    std::vector<Value*> values_;
    const std::vector<Var*>* vars_;
};

/// A detached copy of `i` in `to`, whose operands are mapped. Its results and its loops' arguments are added
/// to `map`.
[[nodiscard]] Instr* clone_instr(Shader& to, const Instr* i, CloneMap& map);

}  // namespace terrazzo::ir

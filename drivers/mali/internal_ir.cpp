// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/mali/internal_ir.h"

#include "shaders/ir/builder.h"
#include "shaders/passes/gather_info.h"

namespace terrazzo::mali {

namespace {

class LoadShader {
  public:
    explicit LoadShader(ir::Shader& s) : b_(s) {
        for (uint32_t c = 0; c < 2; ++c)
            at_[c] = b_.convert(ir::Op::F2I, ir::Type::I32,
                                b_.load_sysval(ir::Sysval::FragCoord, c, ir::Type::F32));
        at_[2] = b_.i32(0);  // level
    }
    /// The first `count` components of the next texture's texel to components of an output.
    void load(uint32_t slot, uint32_t count, ir::Type type) {
        ir::TexInfo t;
        t.op = ir::TexOp::Fetch;
        t.result = type;
        t.binding = next_++;
        ir::Instr* texel = b_.tex(t, at_);
        for (uint32_t c = 0; c < count; ++c)
            b_.store_output(slot, c, texel->result(c));
    }

  private:
    ir::Builder b_;
    ir::Value* at_[3];
    int next_ = 0;
};

}  // namespace

std::unique_ptr<ir::Shader> clear_vertex_shader() {
    auto s = std::make_unique<ir::Shader>(ir::Stage::Vertex);
    ir::Builder b(*s);
    for (uint32_t c = 0; c < 4; ++c)
        b.store_output(uint32_t(ir::VaryingSlot::Position), c, b.load_input(ir::Type::F32, 0, c));
    ir::gather_info(*s);
    return s;
}

std::unique_ptr<ir::Shader> clear_fragment_shader(uint8_t colors) {
    auto s = std::make_unique<ir::Shader>(ir::Stage::Fragment);
    ir::Builder b(*s);
    for (uint32_t c = 0; colors && c < 4; ++c) {
        ir::Value* v = b.load_uniform(ir::Type::F32, c);
        for (uint32_t target = 0; target < 8; ++target)
            if (colors >> target & 1) b.store_output(target, c, v);
    }
    ir::gather_info(*s);
    return s;
}

std::unique_ptr<ir::Shader> load_fragment_shader(const LoadKey& key) {
    auto s = std::make_unique<ir::Shader>(ir::Stage::Fragment);
    LoadShader load(*s);
    for (uint32_t target = 0; target < 8; ++target)
        if (key.colors >> target & 1) load.load(target, 4, ir::Type::F32);
    if (key.depth) load.load(uint32_t(ir::FragSlot::Depth), 1, ir::Type::F32);
    if (key.stencil) load.load(uint32_t(ir::FragSlot::Stencil), 1, ir::Type::I32);
    ir::gather_info(*s);
    return s;
}

}  // namespace terrazzo::mali

// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/clear/shader.h"

#include "shaders/ir/builder.h"
#include "shaders/passes/gather_info.h"

namespace terrazzo::clears {

std::unique_ptr<ir::Shader> vertex_shader() {
    auto s = std::make_unique<ir::Shader>(ir::Stage::Vertex);
    ir::Builder b(*s);
    for (uint32_t c = 0; c < 4; ++c)
        b.store_output(uint32_t(ir::VaryingSlot::Position), c, b.load_input(ir::Type::F32, 0, c));
    ir::gather_info(*s);
    return s;
}

std::unique_ptr<ir::Shader> fragment_shader(uint8_t colors) {
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

}  // namespace terrazzo::clears

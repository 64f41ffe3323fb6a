// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/agx/sim/resources/resource_units.h"

#include "drivers/agx/hw/records.h"

namespace terrazzo::agx::sim {

bool find_texture(const UnitCall& call, unsigned base, unsigned texture, unsigned thread, uint64_t* va,
                  std::string* why) {
    const uint32_t number = wave::at(call.in[texture][0], thread);
    if (call.instr.src[base].kind == isa::OperandKind::kUniform) {
        *va = (uint64_t(wave::at(call.in[base][1], thread)) << 32 | wave::at(call.in[base][0], thread)) +
              number;
        return true;
    }
    const Bindings* const b = call.group.bindings;
    for (const DescriptorRange& r :
         b ? std::span<const DescriptorRange>(b->textures) : std::span<const DescriptorRange>())
        if (number >= r.first && number - r.first < r.count) {
            *va = r.va + uint64_t(number - r.first) * hw::Texture::kSize_B;
            return true;
        }
    return refuse(why, "texture ", number, " is not bound");
}

}  // namespace terrazzo::agx::sim

// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: Mesa 25.0.7, genxml/v10.xml and the preloaded registers of compiler/bifrost_compile.c.
#include "drivers/mali/sim/state/shader.h"

namespace terrazzo::mali::sim {

bool load_shader(Window& memory, const ShaderAddresses& from, hw::ShaderStage stage, ShaderState* out,
                 Fault* fault) {
    if (!read_struct(memory, from.program, &out->program, "shader program", fault)) return false;
    // Transform feedback runs vertex shaders as compute.
    const bool computes_vertices =
        stage == hw::ShaderStage::Compute && out->program.stage == hw::ShaderStage::Vertex;
    if (out->program.stage != stage && !computes_vertices)
        return report(fault, "shader program at ", hex_text(from.program), " is of stage ",
                      hw::enum_name(out->program.stage), ", not ", hw::enum_name(stage));
    out->resources.packed = from.resources;
    out->fau.assign(size_t(from.fau_count) * 2, 0);
    if (from.fau_count && !memory.read(from.fau, out->fau.data(), out->fau.size() * 4))
        return report_access(fault, memory, "uniforms");
    out->storage = from.storage;
    if (from.storage && !read_struct(memory, from.storage, &out->local, "local storage", fault)) return false;
    return true;
}

void set_shader(const ShaderState& shader, unsigned slot, Warp* warp) {
    warp->register_count =
        shader.program.register_allocation == hw::ShaderRegisterAllocation::N32PerThread ? 32 : 64;
    warp->fau = shader.fau;
    warp->resources = shader.resources.packed;
    warp->special[unsigned(isa::Special::kResourceTablePointer)] = shader.resources.va();
    const hw::LocalStorage& local = shader.local;
    const bool packed = local.tls_address_mode == hw::AddressMode::Packed;
    warp->local_B = shader.storage && local.tls_base_pointer ? 16u << local.tls_size : 0;
    warp->local_base = packed ? local.tls_base_pointer << 8 : local.tls_base_pointer;
    warp->local_base += uint64_t(slot) * kWarpLanes * warp->local_B;
    warp->special[unsigned(isa::Special::kThreadLocalPointer)] = warp->local_base;
    warp->special[unsigned(isa::Special::kWorkgroupLocalPointer)] = shader.local.wls_base_pointer;
}

void begin_run(Warp* warp) {
    warp->forget();
}

}  // namespace terrazzo::mali::sim

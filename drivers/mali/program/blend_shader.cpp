// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/mali/program/blend_shader.h"

#include <new>

#include "drivers/mali/compiler/compile.h"
#include "drivers/mali/images/target.h"
#include "drivers/mali/program/print_code.h"

namespace terrazzo::mali {

namespace {

size_t hash(const BlendKey& k) {
    uint64_t h = 0;
    const auto add = [&](uint64_t v) {
        h = (h ^ v) * 0x9e3779b97f4a7c15ull;
        h ^= h >> 32;
    };
    const pipe::BlendTargetDesc& d = k.blend.desc;
    add(uint64_t(d.op_rgb) | uint64_t(d.op_alpha) << 8 | uint64_t(d.src_rgb) << 16 |
        uint64_t(d.dst_rgb) << 24 | uint64_t(d.src_alpha) << 32 | uint64_t(d.dst_alpha) << 40 |
        uint64_t(k.blend.write_mask) << 48 | uint64_t(k.target) << 56);
    add(uint64_t(d.advanced) << 48 | uint64_t(k.blend.color_at_dw) << 32 | uint64_t(k.blend.format) << 4 |
        uint64_t(k.multisampled) << 3 | uint64_t(k.half_source) << 2 | uint64_t(k.blend.has_second) << 1 |
        uint64_t(k.blend.alpha_to_one));
    return size_t(h);
}

}  // namespace

uint64_t BlendShaders::find(const BlendKey& key) {
    const programs::DeviceCode* const code = shaders_.find(
        key, [&] { return compile(key); }, hash(key));
    return code ? code->va() : 0;
}

std::unique_ptr<programs::DeviceCode> BlendShaders::compile(const BlendKey& key) const {
    compiler::BlendTarget target;
    target.render_target = key.target;
    target.half_source = key.half_source;
    target.multisampled = key.multisampled;
    hw::pack(blend_conversion(key.blend.format, false, false), &target.conversion);
    device_.slow("blending into %s takes a shader", pipe::format_info(key.blend.format).name);
    const compiler::Binary binary = compiler::compile_blend(*blend::create_shader(key.blend), target);
    if (!binary.error.empty()) {
        device_.log()(pipe::Severity::Error, "mali: blend shader: " + binary.error);
        return nullptr;
    }
    print_code(device_, "blend shader: ", binary);
    auto code = std::make_unique<programs::DeviceCode>();
    if (!code->upload(device_, binary.code)) throw std::bad_alloc();
    return code;
}

}  // namespace terrazzo::mali

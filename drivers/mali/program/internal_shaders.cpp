// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/mali/program/internal_shaders.h"

#include <new>
#include <utility>

#include "drivers/mali/images/target.h"
#include "drivers/mali/program/stage_code.h"

namespace terrazzo::mali {

std::unique_ptr<ShaderPart> InternalShaders::compile(const ir::Shader& shader, compiler::Part kind) const {
    compiler::Binary binary = compiler::compile(shader, kind, {.own = true});
    if (!binary.error.empty()) {
        device_.log()(pipe::Severity::Error, "mali: internal shader: " + binary.error);
        return nullptr;
    }
    print_code(device_, kind == compiler::Part::Compute ? "copy shader: " : "load shader: ", binary);
    auto part = std::make_unique<ShaderPart>();
    return upload(device_, std::move(binary), kind, part.get()) ? std::move(part) : nullptr;
}

const ShaderPart* InternalShaders::load_shader(const LoadKey& key) try {
    return loads_.find(key,
                       [&] { return compile(*blits::load_fragment_shader(key), compiler::Part::Fragment); });
} catch (const std::bad_alloc&) {
    return nullptr;
}

const ShaderPart* InternalShaders::copy_shader(const CopyKey& key) try {
    return copies_.find(key,
                        [&] { return compile(*blits::copy_compute_shader(key), compiler::Part::Compute); });
} catch (const std::bad_alloc&) {
    return nullptr;
}

// --- blend shaders -----------------------------------------------------------------------------------------

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

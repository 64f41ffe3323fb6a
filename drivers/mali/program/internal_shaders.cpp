// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/mali/program/internal_shaders.h"

#include <new>
#include <utility>

#include "drivers/mali/program/print_code.h"

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

}  // namespace terrazzo::mali

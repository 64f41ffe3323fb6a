// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/mali/internal_shaders.h"

#include <new>
#include <utility>

#include "drivers/mali/internal_ir.h"
#include "drivers/mali/print_code.h"

namespace terrazzo::mali {

struct InternalShaders::Impl {
    struct Load {
        LoadKey key;
        std::unique_ptr<ShaderPart> part;
    };
    Device& device;
    std::mutex mutex;
    std::vector<std::pair<uint8_t, pipe::Ref<MaliProgram>>> clears;  // by colours
    std::vector<Load> loads;
    struct Copy {
        CopyKey key;
        std::unique_ptr<ShaderPart> part;
    };
    std::vector<Copy> copies;
};

InternalShaders::InternalShaders(Device& device) : impl_(new Impl{device, {}, {}, {}, {}}) {}
InternalShaders::~InternalShaders() = default;

MaliProgram* InternalShaders::clear_program(uint8_t colors) {
    const std::lock_guard guard(impl_->mutex);
    for (const auto& [known, program] : impl_->clears)
        if (known == colors) return program.get();
    try {
        const std::unique_ptr<ir::Shader> vertex = clear_vertex_shader(),
                                          fragment = clear_fragment_shader(colors);
        pipe::ProgramDesc desc;
        desc.stages[size_t(pipe::Stage::Vertex)] = vertex.get();
        desc.stages[size_t(pipe::Stage::Fragment)] = fragment.get();
        desc.label = "of clears";
        pipe::Ref<MaliProgram> program = MaliProgram::create(impl_->device, desc, impl_->device.log());
        if (program) impl_->clears.emplace_back(colors, program);
        return program.get();
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

std::unique_ptr<ShaderPart> InternalShaders::make(const ir::Shader& shader, compiler::Part kind) {
    compiler::Binary binary = compiler::compile(shader, kind);
    if (!binary.error.empty()) {
        impl_->device.log()(pipe::Severity::Error, "mali: internal shader: " + binary.error);
        return nullptr;
    }
    print_code(impl_->device, kind == compiler::Part::Compute ? "copy shader" : "load shader", binary);
    auto part = std::make_unique<ShaderPart>();
    return upload(impl_->device, std::move(binary), kind, part.get()) ? std::move(part) : nullptr;
}

const ShaderPart* InternalShaders::load_shader(const LoadKey& key) {
    const std::lock_guard guard(impl_->mutex);
    for (const Impl::Load& l : impl_->loads)
        if (l.key == key) return l.part.get();
    try {
        std::unique_ptr<ShaderPart> part = make(*load_fragment_shader(key), compiler::Part::Fragment);
        if (!part) return nullptr;
        impl_->loads.push_back({key, std::move(part)});
        return impl_->loads.back().part.get();
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

const ShaderPart* InternalShaders::copy_shader(const CopyKey& key) {
    const std::lock_guard guard(impl_->mutex);
    for (const Impl::Copy& c : impl_->copies)
        if (c.key == key) return c.part.get();
    try {
        std::unique_ptr<ShaderPart> part = make(*copy_compute_shader(key), compiler::Part::Compute);
        if (!part) return nullptr;
        impl_->copies.push_back({key, std::move(part)});
        return impl_->copies.back().part.get();
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

}  // namespace terrazzo::mali

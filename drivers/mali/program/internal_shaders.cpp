// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/mali/program/internal_shaders.h"

#include <new>
#include <utility>

#include "drivers/mali/program/internal_ir.h"
#include "drivers/mali/program/print_code.h"

namespace terrazzo::mali {

struct InternalShaders::Impl {
    template <class Key>
    struct Made {
        Key key;
        std::unique_ptr<ShaderPart> part;
    };
    Device& device;
    std::mutex mutex;
    std::vector<Made<LoadKey>> loads;
    std::vector<Made<CopyKey>> copies;

    [[nodiscard]] std::unique_ptr<ShaderPart> make(const ir::Shader& shader, compiler::Part kind);
    /// Returns the key's shader, or compiles it. Null: out of memory.
    template <class Key>
    const ShaderPart* look_up(std::vector<Made<Key>>* known, const Key& key,
                              std::unique_ptr<ir::Shader> (*build)(const Key&), compiler::Part kind) {
        const std::lock_guard guard(mutex);
        for (const Made<Key>& m : *known)
            if (m.key == key) return m.part.get();
        try {
            std::unique_ptr<ShaderPart> part = make(*build(key), kind);
            if (!part) return nullptr;
            known->push_back({key, std::move(part)});
            return known->back().part.get();
        } catch (const std::bad_alloc&) {
            return nullptr;
        }
    }
};

InternalShaders::InternalShaders(Device& device) : impl_(new Impl{device, {}, {}, {}}) {}
InternalShaders::~InternalShaders() = default;

std::unique_ptr<ShaderPart> InternalShaders::Impl::make(const ir::Shader& shader, compiler::Part kind) {
    compiler::Binary binary = compiler::compile(shader, kind);
    if (!binary.error.empty()) {
        device.log()(pipe::Severity::Error, "mali: internal shader: " + binary.error);
        return nullptr;
    }
    print_code(device, kind == compiler::Part::Compute ? "copy shader: " : "load shader: ", binary);
    auto part = std::make_unique<ShaderPart>();
    return upload(device, std::move(binary), kind, part.get()) ? std::move(part) : nullptr;
}

const ShaderPart* InternalShaders::load_shader(const LoadKey& key) {
    return impl_->look_up(&impl_->loads, key, load_fragment_shader, compiler::Part::Fragment);
}

const ShaderPart* InternalShaders::copy_shader(const CopyKey& key) {
    return impl_->look_up(&impl_->copies, key, copy_compute_shader, compiler::Part::Compute);
}

}  // namespace terrazzo::mali

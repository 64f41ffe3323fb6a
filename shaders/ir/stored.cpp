// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/ir/stored.h"

#include "shaders/ir/validate.h"
#include "shaders/own_stack.h"
#include "shaders/passes/gather_info.h"

namespace terrazzo::ir {

namespace {

/// Publishes the value; the first thread's value remains.
template <class T>
const T* keep_first(std::atomic<const T*>& slot, std::unique_ptr<const T> made) {
    const T* present = nullptr;
    if (slot.compare_exchange_strong(present, made.get(), std::memory_order_acq_rel)) return made.release();
    return present;
}

}  // namespace

StoredShader::StoredShader(std::unique_ptr<const Shader> shader)
    : stage_(shader->stage), info_(shader->info), shader_(shader.release()) {}

std::shared_ptr<const StoredShader> StoredShader::of(Binary binary, std::optional<StageInterface> reach,
                                                     const ContentHash* hash) {
    Stage stage;
    ShaderInfo info;
    if (!read_head(binary.content, &stage, &info)) return nullptr;
    const std::shared_ptr<StoredShader> s(new StoredShader(stage, info, std::move(reach)));
    const ContentHash known = hash ? *hash : hash_content(binary.content);
    s->forms_ = new Forms{std::move(binary), known};
    return s;
}

StoredShader::~StoredShader() {
    delete shader_.load(std::memory_order_acquire);
    delete forms_.load(std::memory_order_acquire);
}

const StoredShader::Forms& StoredShader::forms() const {
    if (const Forms* f = forms_.load(std::memory_order_acquire)) return *f;
    auto made = std::make_unique<Forms>();
    shaders::on_own_stack([&] { made->binary = write_binary(*shader_.load(std::memory_order_acquire)); });
    made->hash = hash_content(made->binary.content);
    return *keep_first<Forms>(forms_, std::move(made));
}

const Shader* StoredShader::get(std::string* why) const {
    if (const Shader* s = shader_.load(std::memory_order_acquire)) return s;
    const auto fail = [&](std::string rule) -> const Shader* {
        if (why) *why = std::move(rule);
        return nullptr;
    };
    std::unique_ptr<Shader> read;
    // The depth of nested regions depends on the bytes.
    std::string rule = shaders::on_own_stack([&]() -> std::string {
        const Binary& b = forms().binary;
        read = read_binary(b.content, b.remarks);
        if (!read) return "the bytes are no shader";
        std::string broken = reach_ ? validate_linked(*read, *reach_) : validate(*read, Phase::AfterLink);
        if (broken.empty()) gather_info(*read);
        return broken;
    });
    if (!rule.empty()) return fail(std::move(rule));
    if (read->info != info_) return fail("the code does not do what its info says");
    return keep_first<Shader>(shader_, std::move(read));
}

}  // namespace terrazzo::ir

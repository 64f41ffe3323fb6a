// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A linked shader as IR, as its binary form (binary.h), or both. A driver that has compiled code needs no IR:
// bytes from a cache are decoded only by get(). Immutable and shared between threads; each form is created
// when it is first needed.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include "shaders/ir/binary.h"
#include "shaders/ir/validate_linked.h"

namespace terrazzo::ir {

class StoredShader {
  public:
    /// A linked shader with gathered info.
    explicit StoredShader(std::unique_ptr<const Shader> shader);
    /// Null where the bytes have no valid header; get() checks the rest. `reach`: what the code may access,
    /// for a stage of a program from outside. `hash`: of the content, from a trusted source; null: it is
    /// computed.
    [[nodiscard]] static std::shared_ptr<const StoredShader> of(Binary binary,
                                                                std::optional<StageInterface> reach = {},
                                                                const ContentHash* hash = nullptr);
    ~StoredShader();
    StoredShader(const StoredShader&) = delete;
    StoredShader& operator=(const StoredShader&) = delete;

    [[nodiscard]] Stage stage() const { return stage_; }
    [[nodiscard]] const ShaderInfo& info() const { return info_; }
    /// Null: the bytes are no valid linked shader, or not one of that info; `why` is then the rule.
    [[nodiscard]] const Shader* get(std::string* why = nullptr) const;
    [[nodiscard]] const Binary& binary() const { return forms().binary; }
    /// Equal for shaders with equal content (binary.h).
    [[nodiscard]] const ContentHash& hash() const { return forms().hash; }

  private:
    struct Forms {
        Binary binary;
        ContentHash hash;
    };
    StoredShader(Stage stage, const ShaderInfo& info, std::optional<StageInterface> reach)
        : stage_(stage), info_(info), reach_(std::move(reach)) {}
    [[nodiscard]] const Forms& forms() const;

    const Stage stage_;
    const ShaderInfo info_;
    const std::optional<StageInterface> reach_;
    // Written once, by the first thread; a second thread's is destroyed.
    mutable std::atomic<const Shader*> shader_ = nullptr;
    mutable std::atomic<const Forms*> forms_ = nullptr;
};

}  // namespace terrazzo::ir

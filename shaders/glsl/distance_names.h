// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Names of EXT_clip_cull_distance in a text, which glslang lacks in ESSL: they become names of ours (DistanceNames). Which ones
// is known at the text's end: a member of gl_PerVertex behind a dot, in a block, and outside of fragment shaders and ESSL 3.00
// wherever the text declares no variable of the name; else a variable.
#pragma once

#include <vector>

#include "shaders/glsl/source.h"
#include "shaders/glsl/text_edits.h"
#include "shaders/glsl/text_lexer.h"

namespace terrazzo::shaders::glsl {

class DistanceRenamer {
  public:
    DistanceRenamer(TextEdits& edits, Source& out, ir::Stage stage)
        : edits_(edits), out_(out), stage_(stage) {}
    void enable(bool on) { enabled_ = on; }
    /// Sees every token outside of directives.
    void token(const Token& t, unsigned nesting);
    struct Error {
        uint32_t line = 0;  // 0: there is none
        const char* rule = "";
    };
    /// Changes the names, and declares what the text names and does not declare.
    [[nodiscard]] Error finish(int version);

  private:
    struct Names {
        std::vector<std::string_view> members, bare;
        bool declared = false;     // as a variable
        uint32_t length_line = 0;  // where its length is asked for
    };
    void rename(std::string_view text, std::string_view name, std::string_view with);

    TextEdits& edits_;
    Source& out_;
    const ir::Stage stage_;
    bool enabled_ = false;
    bool in_block_ = false;  // gl_PerVertex
    Error error_;
    std::string_view last_, before_last_;  // tokens
    Names names_[2];                       // by kDistanceNames
};

}  // namespace terrazzo::shaders::glsl

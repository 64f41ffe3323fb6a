// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The variables of extensions that glslang does not know: gl_InstanceIDEXT of EXT_draw_instanced, and those
// of EXT_shader_framebuffer_fetch (gl_LastFragData in ESSL 1.00, `inout` outputs in ESSL 3.00). The text is
// changed so that glslang sees uniforms and ordinary outputs; the walker gives them their meaning.
#pragma once

#include <string_view>
#include <vector>

#include "shaders/glsl/source.h"
#include "shaders/glsl/text_edits.h"
#include "shaders/glsl/text_lexer.h"

namespace terrazzo::shaders::glsl {

class OwnVariables {
  public:
    OwnVariables(TextEdits& edits, Source& out) : edits_(edits), out_(out) {}
    void enable_instance_id(bool on) { draw_instanced_ = on; }
    /// EXT_separate_shader_objects: ESSL 3.00 may redeclare gl_Position and gl_PointSize.
    void enable_separate() { separate_ = true; }
    /// EXT_shader_framebuffer_fetch, and its non-coherent variant.
    void enable_fetch(bool on) { coherent_ = on; }
    void enable_non_coherent_fetch(bool on) { non_coherent_ = on; }
    /// OES_viewport_array: gl_ViewportIndex and gl_MaxViewports. `declaration` is that of gl_ViewportIndex
    /// without the name; empty: the stage has none.
    void enable_viewport_array(bool on, std::string_view declaration) {
        viewport_array_ = on;
        viewport_index_ = on ? declaration : std::string_view();
    }

    /// Receives every token outside of directives. `nesting`: the number of open brackets, without an opening
    /// one at this token, but with a closing one. Returns the name of a built-in output that the statement
    /// wrongly declares `inout`; empty: no error.
    [[nodiscard]] std::string_view token(const Token& t, unsigned nesting, int version);
    /// Adds declarations of the used names to the preamble.
    void declare();

  private:
    bool rename(const Token& t);
    void remove_statement(std::string_view first, std::string_view last);
    void end_layout();
    std::string_view note_fetched_outputs();

    TextEdits& edits_;
    Source& out_;
    std::vector<std::string_view> global_;  // the statement so far, outside of brackets
    std::vector<std::string_view> layout_;  // a layout so far, from its name on
    bool draw_instanced_ = false;           // enabled here, as are the next two
    bool coherent_ = false, non_coherent_ = false;
    bool names_instance_ = false, names_last_ = false;  // the text uses these variables
    bool redeclares_ = false;                           // the statement redeclares gl_LastFragData
    bool inout_ = false;                                // the statement declares outputs that are also read
    bool says_non_coherent_ = false;                    // and its layout has `noncoherent`
    bool separate_ = false,
         redeclares_output_ = false;  // the statement redeclares gl_Position or gl_PointSize
    std::string_view last_precision_ = "mediump";
    std::string_view viewport_index_;  // its declaration; empty: not enabled
    bool viewport_array_ = false, names_max_viewports_ = false;
    std::string_view viewport_named_;  // the same, once the text has used the name
};

}  // namespace terrazzo::shaders::glsl

// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "api/command/quiet.h"

#include <cstdlib>

#include "winsys/environment/environment.h"

namespace terrazzo::command {

using winsys::Variable;

QuietEnvironment::QuietEnvironment() {
    for (const winsys::VariableRow& row : winsys::variable_rows()) {
        const char* const value = winsys::environment_text(row.variable, false);
        if (!value) continue;
        const bool writes = row.variable == Variable::Debug || row.variable == Variable::Counters ||
                            row.variable == Variable::ShaderDump;
        if (!writes && winsys::is_allowed(row.variable, value)) continue;
        removed_.push_back({row.name, value});
        unsetenv(row.name);
    }
}

QuietEnvironment::~QuietEnvironment() {
    for (const Removed& r : removed_)
        setenv(r.name, r.value.c_str(), 1);
}

}  // namespace terrazzo::command

// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Mali's part of tests/common/mutation: what command streams and shaders have to leave out. A variant of each run has an exhausted heap: the first two draws of
// each pass find none, once each.
#pragma once

#include "tests/common/mutation/mutation.h"

// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Our EGL, loaded at run time from the folder that programs get, whatever libEGL this process might else
// find.
#pragma once

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <string>

#include "api/command/place.h"

namespace terrazzo::command {

/// The functions used here. Never unloaded.
struct Egl {
    decltype(&eglGetProcAddress) GetProcAddress;
    decltype(&eglGetDisplay) GetDisplay;
    decltype(&eglInitialize) Initialize;
    decltype(&eglTerminate) Terminate;
    decltype(&eglQueryString) QueryString;
    decltype(&eglBindAPI) BindAPI;
    decltype(&eglGetConfigs) GetConfigs;
    decltype(&eglGetConfigAttrib) GetConfigAttrib;
    decltype(&eglCreateContext) CreateContext;
    decltype(&eglDestroyContext) DestroyContext;
    decltype(&eglMakeCurrent) MakeCurrent;
    decltype(&eglGetPlatformDisplay) GetPlatformDisplay;

    /// False: `why` says the reason.
    [[nodiscard]] bool load(std::string* why);
    /// From now on `*text` is the last message of EGL_KHR_debug; null: nobody's.
    void report_to(std::string* text) const;
    /// eglInitialize; false: `why` is the reason that EGL_KHR_debug gave.
    [[nodiscard]] bool initialize(EGLDisplay display, std::string* why) const;
    Places places;
};

}  // namespace terrazzo::command

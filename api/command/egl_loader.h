// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Our EGL, loaded at run time from the folder that programs get, whatever other libEGL this process would
// find.
#pragma once

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <string>

#include "api/command/place.h"

namespace terrazzo::command {

/// EGL's functions that are used here. Never unloaded.
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

    /// False: `why` is the reason.
    [[nodiscard]] bool load(std::string* why);
    /// From now on `*text` gets the last message of EGL_KHR_debug; null: messages are dropped.
    void report_to(std::string* text) const;
    /// eglInitialize. False: `why` is EGL_KHR_debug's reason.
    [[nodiscard]] bool initialize(EGLDisplay display, std::string* why) const;
    Places places;
};

}  // namespace terrazzo::command

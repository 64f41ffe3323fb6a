#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
"""scene.qml in PyQt 6 with OpenGL ES. Debian's Qt for amd64 uses desktop OpenGL unless a program asks for
OpenGL ES (Qt's own program `qml` does not). With an argument the scene is written to a PNG of that name."""
import os
import pathlib
import sys

from PyQt6.QtCore import QUrl
from PyQt6.QtGui import QGuiApplication, QSurfaceFormat
from PyQt6.QtQml import QQmlApplicationEngine
from PyQt6.QtQuick import QQuickWindow, QSGRendererInterface

form = QSurfaceFormat()
form.setRenderableType(QSurfaceFormat.RenderableType.OpenGLES)
form.setSamples(int(os.environ.get('SCENE_SAMPLES', '0')))
QSurfaceFormat.setDefaultFormat(form)
QQuickWindow.setGraphicsApi(QSGRendererInterface.GraphicsApi.OpenGL)
app = QGuiApplication(sys.argv)
engine = QQmlApplicationEngine()
engine.quit.connect(app.quit)
engine.load(QUrl.fromLocalFile(str(pathlib.Path(__file__).resolve().parent / 'scene.qml')))
sys.exit(app.exec() if engine.rootObjects() else 1)

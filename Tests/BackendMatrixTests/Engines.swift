import TestSupport
import TroveTesting

/// The engines as the specification takes them.
let engines = Engine.allCases.map { engine in
    BackendFactory(
        name: engine.rawValue, isPersistent: engine != .memory,
        openWithTimeout: { path, timeout in try engine.open(path, timeout: timeout) },
        open: { path in try engine.open(path) })
}

/// The cases that an engine cannot pass, each with the reason.
let deviations: [SpecificationDeviation] = []

/// What a save has to tell when all is done: its caller, and the objects it concerns.
struct FinishedSave {
    var summary = SaveSummary()
    var saved: [any LiveModel] = []
    var deleted: [any LiveModel] = []
}

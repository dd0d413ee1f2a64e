extension UndoHistory: ChangeRecorder {
    func willChange(_ object: any LiveModel, field: Int) {
        touch(object) { image(object) }
    }

    func didInsert(_ object: any LiveModel) {
        touch(object) { nil }
    }

    func willDelete(_ object: any LiveModel) {
        touch(object) { image(object) }
    }

    func didSave(_ changes: [RecordChange]) {
        // A group goes on; what grew by itself ends with the save.
        if !isInGroup { close() }
        noteSave(changes)
    }

    func didRollBack() {
        forgetUnsaved()
    }
}

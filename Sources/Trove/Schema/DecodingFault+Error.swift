extension DecodingFault {
    /// The error users see. `field` is the number of fields read, the failing one included. Without a text the id is shown as bytes.
    func error(model: ModelSchema, field: Int, key: [UInt8], shownID: String? = nil) -> TroveError {
        let id = shownID ?? StoredRecord.text(of: key)
        let name = field > 0 && field <= model.fields.count ? model.fields[field - 1].name : "?"
        return switch self {
        case .damaged(let reason): .corruptRecord(model: model.name, id: id, reason: reason)
        case .newer: .newerRecord(model: model.name, id: id)
        case .sealed: .encryptedRecord(model: model.name, id: id)
        case .overrun: .schemaMismatch(model: model.name, reason: "init(from:) read other fields than the schema lists")
        case .unfit(let reason): .decodingFailed(model: model.name, field: name, id: id, reason: reason)
        case .missing:
            .decodingFailed(model: model.name, field: name, id: id, reason: "the record lacks it, and it has no default value")
        }
    }
}

/// A change of a list in place, while it is being made.
public struct ListEdit<Element: LiveModel> {
    let access: LiveAccess
    /// The list, which the caller changes. Its references are not in the object meanwhile, so that they are changed where they are.
    public var value: ObjectList<Element>
}

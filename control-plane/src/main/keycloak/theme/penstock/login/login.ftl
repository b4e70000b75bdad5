<#-- The page of the base theme disables its button in an inline handler, which our content security policy blocks. -->
<#import "template.ftl" as layout>
<#assign wrong = messagesPerField.existsError('username', 'password')>
<@layout.registrationLayout displayMessage=!wrong; section>
<#if section = "header">
${msg("loginAccountTitle")}
<#elseif section = "form">
<form id="kc-form-login" action="${url.loginAction}" method="post">
  <#if !usernameHidden??>
  <div class="${properties.kcFormGroupClass!}">
    <label for="username" class="${properties.kcLabelClass!}">${msg("email")}</label>
    <input id="username" class="${properties.kcInputClass!}" name="username" type="text" inputmode="email" autocomplete="username"
      dir="ltr" value="${(login.username)!''}"<#if !(login.username?has_content)> autofocus</#if><#if wrong> aria-invalid="true" aria-describedby="input-error"</#if>>
  </div>
  </#if>
  <div class="${properties.kcFormGroupClass!}">
    <label for="password" class="${properties.kcLabelClass!}">${msg("password")}</label>
    <div class="${properties.kcInputGroup!}" dir="ltr">
      <input id="password" class="${properties.kcInputClass!}" name="password" type="password" autocomplete="current-password"<#if login.username?has_content> autofocus</#if><#if wrong> aria-invalid="true" aria-describedby="input-error"</#if>>
      <button class="${properties.kcFormPasswordVisibilityButtonClass!}" type="button" data-password-toggle aria-controls="password"
        aria-label="${msg('showPassword')}" data-label-show="${msg('showPassword')}" data-label-hide="${msg('hidePassword')}"
        data-icon-show="${properties.kcFormPasswordVisibilityIconShow!}" data-icon-hide="${properties.kcFormPasswordVisibilityIconHide!}"><i class="${properties.kcFormPasswordVisibilityIconShow!}" aria-hidden="true"></i></button>
    </div>
    <#if wrong>
    <span id="input-error" class="${properties.kcInputErrorMessageClass!}" aria-live="polite">${kcSanitize(messagesPerField.getFirstError('username', 'password'))?no_esc}</span>
    </#if>
  </div>
  <input type="hidden" name="credentialId" value="${(auth.selectedCredential)!''}">
  <input id="kc-login" class="${properties.kcButtonClass!} ${properties.kcButtonPrimaryClass!} ${properties.kcButtonBlockClass!} ${properties.kcButtonLargeClass!}" name="login" type="submit" value="${msg('doLogIn')}">
  <p class="forgot"><a href="${(client.baseUrl)!'/'}forgot-password">${msg("doForgotPassword")}</a></p>
</form>
<script type="module" src="${url.resourcesPath}/js/passwordVisibility.js"></script>
</#if>
</@layout.registrationLayout>
